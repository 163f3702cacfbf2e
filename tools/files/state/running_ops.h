// Tracks the running operations of plugins, for the process that supervises
// them.
#ifndef FSLOAD_TOOLS_FILES_STATE_RUNNING_OPS_H_
#define FSLOAD_TOOLS_FILES_STATE_RUNNING_OPS_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "fsload/op_observer.h"

namespace fsload {

struct RunningOp {
  pid_t thread;  // the calling thread
  std::string op;
  std::string uri;  // may be truncated
  absl::Duration running;
};

// Created before a fork: the child calls operations, the parent queries them.
// Thread-safe, without a lock that a crash could leave held.
class RunningOps final : public OpObserver {
 public:
  // Null if out of memory.
  static std::unique_ptr<RunningOps> Create();
  ~RunningOps() override;

  void OnStart(const OpStart& start) override;
  void OnCall(const OpCall& call) override;

  // Running operations, at most 64. A misbehaving plugin may have overwritten
  // the text.
  std::vector<RunningOp> All() const;

  // Excludes the last `time`, in which the process was stopped (Ctrl-Z), from
  // the running times. One thread at a time, together with All().
  void LeaveOut(absl::Duration time);

 private:
  struct Board;
  struct Stop {
    int64_t end;     // nanoseconds, on the clock of `since`
    int64_t length;  // nanoseconds
  };
  explicit RunningOps(Board* board) : board_(board) {}

  Board* const board_;
  std::vector<Stop> stops_;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_STATE_RUNNING_OPS_H_
