// The steps for files of a plan whose two ends are on this machine's disks.
#ifndef FSLOAD_TOOLS_FILES_TRANSFER_LOCAL_TRANSFER_H_
#define FSLOAD_TOOLS_FILES_TRANSFER_LOCAL_TRANSFER_H_

#include "absl/status/status.h"
#include "tools/files/output/progress.h"
#include "tools/files/plan/plan.h"
#include "tools/files/transfer/placed_files.h"

namespace fsload {

// Whether both ends of `step` are places in a LocalTree.
bool IsLocal(const Step& step);

// Does `step`, which copies, renames or moves a file and IsLocal, as
// TransferFile. A copy has the mode that cp(1) gives it: of the file that it
// replaces, else of the source less the umask. What is moved to another disk
// keeps its owner (as far as the user may give it), mode, times and extended
// attributes; links, devices, FIFOs and sockets are made anew there.
absl::Status TransferLocalFile(const Step& step, bool replaces,
                               PlacedFiles& placed, Progress& progress);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TRANSFER_LOCAL_TRANSFER_H_
