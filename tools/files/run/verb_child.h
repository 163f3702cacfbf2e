// Runs a verb in a child process, which may crash.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fsload/op_observer.h"
#include "tools/session/running_ops.h"

namespace fsload {

// How the child ended.
struct VerbEnd {
  std::optional<int> exit_code;  // none: it crashed, or was killed

  // Why it died: CANCELLED for the user's second Ctrl-C, DEADLINE_EXCEEDED for
  // an operation that took too long, else INTERNAL. Names the operation that
  // was running, the signal and where it occurred.
  absl::Status status;
  std::string uri;  // of the operation it died in; "" if none
  std::vector<std::string> left_undone;  // what UnfinishedWork recorded
};

// Returns how long a plugin operation or LocalCall may take.
using OpDeadline = std::function<absl::Duration(const RunningOp& op)>;

// Forks and runs `verb` in the child, which shares this process's standard
// streams and terminal; passes it the observer that its plugins must use, and
// expects its exit code. Forwards interruptions sent to this process alone.
// `deadline` limits each plugin operation and LocalCall;
// absl::InfiniteDuration() means no limit. A child that cannot be killed, in a
// call on a disk that does not answer, is left behind. After a crash, a verb
// that `changes` anything is said to have done so. The process must have one
// thread.
VerbEnd RunInChild(const std::function<int(OpObserver&)>& verb,
                   const OpDeadline& deadline, bool changes);

}  // namespace fsload
