// Whether the user wants the command to end: Ctrl-C, or SIGTERM.
#ifndef FSLOAD_TOOLS_FILES_STATE_INTERRUPTION_H_
#define FSLOAD_TOOLS_FILES_STATE_INTERRUPTION_H_

#include "absl/status/status.h"

namespace fsload {

// From here on, a first SIGINT or SIGTERM does not end this process; one that
// comes a quarter of a second later or more does.
void CatchInterruptions();

// OK, or CANCELLED once one has come. Asked between two pieces of work, each of
// which ends by itself; what is half done is then taken back. Thread-safe.
absl::Status CheckInterruption();

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_STATE_INTERRUPTION_H_
