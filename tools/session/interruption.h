// Whether the user has interrupted the command: Ctrl-C, SIGTERM, or a terminal
// that has gone (SIGHUP).
#pragma once

#include <csignal>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace fsload {

// The signals that interrupt.
inline constexpr int kInterruptions[] = {SIGINT, SIGTERM, SIGHUP};

// Keeps the first of these, from here on, from ending this
// process; one at least a quarter of a second later does. One that was ignored
// stays so. Output that nobody takes after it is dropped (tools/text/output.h).
void CatchInterruptions();

// Returns OK, or CANCELLED after an interruption. Called between two pieces of
// work, each of which ends by itself; unfinished work is then undone.
// Thread-safe.
absl::Status CheckInterruption();

// Waits for `pause`; false at once after an interruption. Thread-safe.
bool WaitUnlessInterrupted(absl::Duration pause);

// Returns whether an interruption has ended such a wait: errors from then on
// may be its consequence. Thread-safe.
bool InterruptionEndedAWait();

}  // namespace fsload
