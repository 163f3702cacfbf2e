// Which of a plugin's operations are running, for the process that outlives
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
  pid_t thread;  // that called it
  std::string op;
  std::string uri;  // perhaps cut
  absl::Duration running;
};

// Made before a fork: the child is the one that calls operations, its parent
// asks for them. Thread-safe, without a lock that a death could leave taken.
class RunningOps final : public OpObserver {
 public:
  // Null when the system gives no memory.
  static std::unique_ptr<RunningOps> Create();
  ~RunningOps() override;

  void OnStart(const OpStart& start) override;
  void OnCall(const OpCall& call) override;

  // Those under way, at most 64 of them. A plugin gone wild may have written to
  // the words.
  std::vector<RunningOp> All() const;

  // The process was stopped (Ctrl-Z) for the last `time`: it does not count for
  // what was under way. One thread at a time, together with All().
  void LeaveOut(absl::Duration time);

 private:
  struct Board;
  struct Stop {
    int64_t end;     // nanoseconds, of the clock that `since` is of
    int64_t length;  // nanoseconds
  };
  explicit RunningOps(Board* board) : board_(board) {}

  Board* const board_;
  std::vector<Stop> stops_;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_STATE_RUNNING_OPS_H_
