// Counts the calls of plugins' operations and the retries among them, for
// --explain.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fsload/internal/mutex.h"
#include "fsload/op.h"
#include "fsload/op_observer.h"

namespace fsload {

// May be used from any thread.
class CallCounts final : public OpObserver {
 public:
  struct Count {
    uint64_t calls = 0;
    uint64_t failed = 0;  // calls that ended with neither OK nor end of file
    uint64_t bytes = 0;   // read or appended
  };

  // Calls that were repeated after an error.
  struct Retried {
    Op op;
    TF_Code code;
    uint64_t times = 0;
    std::string message;  // of the last such error
  };

  void OnCall(const OpCall& call) override;

  // Counts a call of `op` that has failed and is repeated.
  void OnRetry(std::string_view scheme, Op op, TF_Code code,
               std::string_view message);

  // Returns the count of `op` for the plugin that serves `scheme`.
  Count Of(std::string_view scheme, Op op) const;

  // Returns the retries by operation and code.
  std::vector<Retried> RetriedOf(std::string_view scheme) const;

 private:
  template <typename T>
  using ByScheme = std::map<std::string, T, std::less<>>;

  mutable Mutex mutex_;
  ByScheme<std::array<Count, kOps>> counts_ ABSL_GUARDED_BY(mutex_);
  ByScheme<std::map<std::pair<Op, TF_Code>, Retried>> retried_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace fsload
