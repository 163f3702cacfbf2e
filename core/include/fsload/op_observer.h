// Observes each call of a plugin's operations, for logs, metrics and tests.
#ifndef FSLOAD_OP_OBSERVER_H_
#define FSLOAD_OP_OBSERVER_H_

#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "fsload/export.h"
#include "fsload/op.h"
#include "fsload/tf_status.h"

namespace FSLOAD_API fsload {

// One call that is about to be made. Valid only during OnStart.
struct OpStart {
  std::string_view scheme;
  Op op;
  std::string_view uri;  // these three as in OpCall
};

// One call that has returned, thrown or ended its thread. Valid only during
// OnCall.
struct OpCall {
  std::string_view scheme;  // as FileSystem::scheme()
  Op op;

  // As the caller wrote it, or the path that a default produced; the first if
  // there are several. "scheme://" for a call without a path.
  std::string_view uri;

  // What a read returned, or what an append was given, even if it failed: these
  // bytes have moved only if `code` is TF_OK, or TF_OUT_OF_RANGE of a read. -1
  // for other operations, after an exception, and if a read returned no
  // possible number, as most that fail.
  int64_t bytes;
  std::chrono::nanoseconds duration;

  // As the plugin set it, which may be a number that TF_Code does not list;
  // that of an exception as in fsload/file_system.h; TF_INTERNAL if the call
  // ended its thread.
  TF_Code code;
};

// Sees the calls of a plugin's operations, each on its caller's thread, and so
// many at once. Set it in LoadOptions; without one a call costs one branch.
class OpObserver {
 public:
  virtual ~OpObserver() = default;

  // Sees a call that is about to be made. Exceptions are dropped.
  virtual void OnStart(const OpStart& /*start*/) {}

  // Sees a call that is over. Exceptions are dropped.
  virtual void OnCall(const OpCall& call) = 0;
};

// Combines several observers, which must outlive it: calls each in turn until
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
