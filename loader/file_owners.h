// Whether others than those a user trusts may change a file.
#ifndef FSLOAD_LOADER_FILE_OWNERS_H_
#define FSLOAD_LOADER_FILE_OWNERS_H_

#include <sys/stat.h>

#include <string>

#include "loader/rules.h"

namespace fsload {

// Adds a finding where everybody may write to the file that was opened as `fd`
// by `path`, or may put another in its place: by the folder that it is in, or
// the one that `path` leads through. A folder whose files only their owners may
// replace is fine where the file is ours or root's.
void CheckOwners(int fd, const std::string& path, Findings& findings);

}  // namespace fsload

#endif  // FSLOAD_LOADER_FILE_OWNERS_H_
