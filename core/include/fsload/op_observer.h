// Sees each call of a plugin's operations: for logs, metrics and tests.
#ifndef FSLOAD_OP_OBSERVER_H_
#define FSLOAD_OP_OBSERVER_H_

#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "fsload/op.h"
#include "fsload/tf_status.h"

namespace fsload {

// One call that is about to be made. Valid as long as OnStart runs.
struct OpStart {
  std::string_view scheme;
  Op op;
  std::string_view uri;  // these three as in OpCall
};

// One call that has returned, or thrown, or ended its thread. Valid as long as
// OnCall runs.
struct OpCall {
  std::string_view scheme;  // under which the plugin registered itself
  Op op;

  // As the caller wrote it, or the path that a default came to; of several, the
  // first. "scheme://" for a call without a path.
  std::string_view uri;

  int64_t bytes;  // read or appended; -1 for other operations
  std::chrono::nanoseconds duration;
  TF_Code code;  // TF_INTERNAL for an exception and for a thread's end
};

// Named in LoadOptions. Without one a call pays one branch for it.
class OpObserver {
 public:
  virtual ~OpObserver() = default;

  // Called before and after each call, in its thread, and so by many threads at
  // once. What they throw is dropped.
  virtual void OnStart(const OpStart& /*start*/) {}
  virtual void OnCall(const OpCall& call) = 0;
};

// Several observers, which outlive it, as one: each is called in turn, until
// one throws.
class OpObserverList final : public OpObserver {
 public:
  explicit OpObserverList(std::vector<OpObserver*> observers)
      : observers_(std::move(observers)) {}

  void OnStart(const OpStart& start) override;
  void OnCall(const OpCall& call) override;

 private:
  const std::vector<OpObserver*> observers_;
};

}  // namespace fsload

#endif  // FSLOAD_OP_OBSERVER_H_
