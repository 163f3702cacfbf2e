// Runs the file steps of a plan whose source and target are both local.
#pragma once

#include "absl/status/status.h"
#include "tools/files/output/progress.h"
#include "tools/files/plan/plan.h"
#include "tools/files/transfer/written_files.h"

namespace fsload {

// Runs `step`, which copies, renames or moves a file between places that
// AreLocal, as TransferFile does. A copy gets the mode that cp(1) gives it:
// that of the file it replaces, else that of the source less the umask. A move
// to another disk keeps owner (as far as the user may set it), mode, times and
// extended attributes; symlinks, devices, FIFOs and sockets are recreated
// there.
absl::Status TransferLocalFile(const Step& step, bool replaces,
                               WrittenFiles& placed, Progress& progress);

}  // namespace fsload
