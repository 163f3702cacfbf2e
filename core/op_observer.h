// Sees each call of a plugin's operations: for logs, metrics and tests.
#ifndef FSLOAD_CORE_OP_OBSERVER_H_
#define FSLOAD_CORE_OP_OBSERVER_H_

#include <chrono>
#include <cstdint>
#include <string_view>

#include "compat/tf_status.h"
#include "core/operations.h"

namespace fsload {

// One call that has returned, or thrown. Valid as long as OnCall runs.
struct OpCall {
  std::string_view scheme;  // under which the plugin registered itself
  Op op;

  // As the caller wrote it, or the path that a default came to; of several, the
  // first. "scheme://" for a call without a path.
  std::string_view uri;

  int64_t bytes;  // read or appended; -1 for other operations
  std::chrono::nanoseconds duration;
  TF_Code code;  // TF_INTERNAL for an exception
};

// Named in LoadOptions. Without one a call pays one branch for it.
class OpObserver {
 public:
  virtual ~OpObserver() = default;

  // Called after each call, in its thread, and so by many threads at once.
  // What it throws is dropped.
  virtual void OnCall(const OpCall& call) = 0;
};

}  // namespace fsload

#endif  // FSLOAD_CORE_OP_OBSERVER_H_
