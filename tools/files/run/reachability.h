// Finds out whether a store's server can be reached where its plugin does not
// say: some retry for a minute, and then report that nothing is there.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fsload/internal/mutex.h"
#include "tools/session/running_ops.h"

namespace fsload {

// Connects to the server for `uri`, and disconnects. UNAVAILABLE, naming `uri`
// and the server, if that fails or takes longer than `timeout`; OK if no server
// is known (loader/known_plugins/endpoint.h).
absl::Status CheckReachable(std::string_view uri, absl::Duration timeout);

// Explains errors of many files by their server. Thread-safe.
class ServerErrors final {
 public:
  // Returns `status` of `uri`, unless it may mean a server that does not
  // answer, and the server cannot be reached: then that. One answer of a server
  // serves all errors of a second.
  absl::Status Explain(std::string_view uri, const absl::Status& status);

 private:
  struct Answer {
    absl::Time until = absl::InfinitePast();
    std::optional<std::string> why;  // it cannot be reached
  };

  Mutex mutex_;  // held while a server is asked
  std::map<std::string, Answer, std::less<>> answers_  // by server
      ABSL_GUARDED_BY(mutex_);
};

// Watches for an operation that waits for a server which cannot be reached. One
// thread at a time.
class ReachabilityWatch final {
 public:
  // Checks, every half second or so, the operation that has been running
  // longest: returns OK, or the error of CheckReachable if that has failed
  // twice, a while after the operation began and later. May take seconds.
  absl::Status Ask(const RunningOp& oldest);

 private:
  absl::Time next_ = absl::InfinitePast();
  int failures_ = 0;
};

}  // namespace fsload
