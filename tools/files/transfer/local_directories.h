// The steps for directories of a plan whose two ends are on this machine's
// disks.
#ifndef FSLOAD_TOOLS_FILES_TRANSFER_LOCAL_DIRECTORIES_H_
#define FSLOAD_TOOLS_FILES_TRANSFER_LOCAL_DIRECTORIES_H_

#include <sys/stat.h>

#include <optional>

#include "absl/status/status.h"
#include "tools/files/plan/plan.h"

namespace fsload {

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

#endif  // FSLOAD_TOOLS_FILES_TRANSFER_LOCAL_DIRECTORIES_H_
