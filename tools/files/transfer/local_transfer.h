// The steps of a plan whose two ends are on this machine's disks.
#ifndef FSLOAD_TOOLS_FILES_TRANSFER_LOCAL_TRANSFER_H_
#define FSLOAD_TOOLS_FILES_TRANSFER_LOCAL_TRANSFER_H_

#include <sys/stat.h>

#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "tools/files/output/progress.h"
#include "tools/files/plan/plan.h"

namespace fsload {

// What is said of a target that is there and is to stay.
absl::Status NotReplaced(const std::string& uri);

// Whether both ends of `step` are places in a LocalTree.
bool IsLocal(const Step& step);

// Does `step`, which copies, renames or moves a file and IsLocal, as
// TransferFile. A copy has the mode that cp(1) gives it: of the file that it
// replaces, else of the source less the umask. What is moved to another disk
// keeps its owner (as far as the user may give it), mode, times and extended
// attributes; links, devices, FIFOs and sockets are made anew there.
absl::Status TransferLocalFile(const Step& step, bool replaces,
                               Progress& progress);

// Has `write` make a file under a name of its own beside `target`, which is in
// a LocalTree, and puts it there. ALREADY_EXISTS where something is there, or
// came there meanwhile.
absl::Status MakeLocalFile(
    const Place& target,
    const std::function<absl::Status(const std::string& uri)>& write);

// What a directory that was made is to have once all is in it.
struct MadeDirectory {
  struct stat source;  // as it was before anything was moved out of it
  mode_t mode;
};

// Does `step`, which makes a directory and IsLocal, with what is missing above
// it. Its owner may write to it until FinishLocalDirectory. `made` stays empty
// where it is there already.
absl::Status MakeLocalDirectory(const Step& step,
                                std::optional<MadeDirectory>& made);

// Gives the directory that `step` made its mode: that of its source less the
// umask; or, where that is moved, all that its source had.
absl::Status FinishLocalDirectory(const Step& step, const MadeDirectory& made);

// Does `step`, which renames a directory: 0, or an errno value. EXDEV where its
// target is on another disk.
int RenameLocalDirectory(const Step& step);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TRANSFER_LOCAL_TRANSFER_H_
