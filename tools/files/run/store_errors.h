// Explains errors of object stores by what is known of their bucket.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "fsload/file_system.h"
#include "fsload/internal/mutex.h"

namespace fsload {

// Returns NOT_FOUND, naming the bucket, if `uri` is in one that does not exist;
// OK if it does, if that cannot be found out, and where there are no buckets.
absl::Status CheckBucket(const FileSystem& file_system, std::string_view uri);

// Thread-safe.
class StoreErrors final {
 public:
  // Returns `status` of `uri`, or what says more: that there is no such bucket,
  // the server's words where the answer had none, or that a name node does not
  // answer. Asks about each bucket and name node once.
  absl::Status Explain(const FileSystem& file_system, std::string_view uri,
                       const absl::Status& status);

 private:
  // Returns what `find_out` returned for `root`, which it is called for once.
  absl::Status FindOut(const std::string& root,
                       const std::function<absl::Status()>& find_out);

  Mutex mutex_;  // held while a server is asked
  std::map<std::string, absl::Status, std::less<>> roots_
      ABSL_GUARDED_BY(mutex_);  // of buckets
};

}  // namespace fsload
