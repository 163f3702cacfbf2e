// The steps of a plan that bring a file to another place.
#ifndef FSLOAD_TOOLS_FILES_TRANSFER_FILE_TRANSFER_H_
#define FSLOAD_TOOLS_FILES_TRANSFER_FILE_TRANSFER_H_

#include "absl/status/status.h"
#include "tools/files/output/progress.h"
#include "tools/files/plan/plan.h"
#include "tools/files/transfer/placed_files.h"

namespace fsload {

// Does `step`, which copies, renames or moves a file. On an error the source
// and the target are as before, and so they are after an interruption, which is
// CANCELLED. ALREADY_EXISTS for a target that is there, unless `replaces`, and
// for one of `placed`, which what comes to a disk is added to.
// Counts its bytes as progress.
absl::Status TransferFile(const Step& step, bool replaces, PlacedFiles& placed,
                          Progress& progress);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TRANSFER_FILE_TRANSFER_H_
