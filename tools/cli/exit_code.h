// What the exit code of `fsload` means.
#pragma once

#include "absl/status/status.h"

namespace fsload {

enum ExitCode : int {
  kVerified = 0,  // or done
  kFindings = 1,  // or failed for a reason that has no code below
  kUsage = 2,
  kNothingVerified = 3,  // nothing to check
  kMissing = 4,
  kDenied = 5,
  kExists = 6,
  kRetryable = 7,  // the same command may succeed later
  kUnsupported = 8,
  kCrashed = 9,  // a plugin ended its process
  kBug = 70,     // fsload itself failed
  kInterrupted = 130,
  kBrokenPipe = 141,  // what shells report of SIGPIPE
};

// Returns the exit code for an error, or kVerified for none.
ExitCode ExitCodeFor(const absl::Status& status);

// Returns the exit code of a command that would end with `exit_code`, given how
// its last FlushOutput ended: the same if all output was written, or if its
// reader left early and the command had failed; kBrokenPipe if the reader left
// early and all else went well; kInterrupted if output was dropped; kFindings
// if writing failed otherwise.
int ExitCodeAfter(int exit_code, const absl::Status& flushed);

}  // namespace fsload
