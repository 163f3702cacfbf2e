// Runs a verb in a process that this one outlives.
#ifndef FSLOAD_TOOLS_FILES_RUN_VERB_CHILD_H_
#define FSLOAD_TOOLS_FILES_RUN_VERB_CHILD_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fsload/op_observer.h"

namespace fsload {

// How it ended.
struct VerbEnd {
  std::optional<int> exit_code;  // none: it died, or was killed

  // Why it died: CANCELLED for the user's second Ctrl-C, DEADLINE_EXCEEDED for
  // an operation that took longer than it may, else INTERNAL. Names the
  // operations that were running, and the signal and its place.
  absl::Status status;
  std::string uri;  // of the operation it died in; "" where there was none
  std::vector<std::string> left_undone;  // what UnfinishedWork says of it
};

// Forks; `verb` runs in the child, which has this process's standard streams
// and terminal, with the observer that its plugins must have, and yields the
// exit code. An interruption sent to this process alone is sent on.
// `op_deadline` is how long a plugin's operation may take;
// absl::InfiniteDuration() is as long as it likes. Only a process with one
// thread may call this.
VerbEnd RunInChild(const std::function<int(OpObserver&)>& verb,
                   absl::Duration op_deadline);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_RUN_VERB_CHILD_H_
