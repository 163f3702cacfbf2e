// Runs the directory steps of a plan whose source and target are both local,
// and says where a directory is missing.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "tools/files/plan/plan.h"

namespace fsload {

// Returns NOT_FOUND: the directory in which `uri` is to be created is missing,
// or that to which the link `uri` leads.
absl::Status NoDirectoryFor(const std::string& uri);

// The attributes that a new directory gets once its contents are there.
struct MadeDirectory {
  struct stat source;  // before anything was moved out of it
  mode_t mode;
};

// Runs `step`, which makes a directory, where its places AreLocal, and creates
// missing ancestors. Its owner may write to it until FinishLocalDirectory.
// `made` stays empty if it already exists.
absl::Status MakeLocalDirectory(const Step& step,
                                std::optional<MadeDirectory>& made);

// Returns whether FinishLocalDirectory has anything to do.
bool IsUnfinished(const Step& step, const MadeDirectory& made);

// Gives the directory that `step` made its mode: that of its source less the
// umask or, if the source is moved, all of its source's attributes.
absl::Status FinishLocalDirectory(const Step& step, const MadeDirectory& made);

// Runs `step`, which renames a directory. 0 or an errno value; EXDEV if its
// target is on another disk.
int RenameLocalDirectory(const Step& step);

}  // namespace fsload
