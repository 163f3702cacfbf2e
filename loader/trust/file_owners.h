// Whether others than those a user trusts may change a file.
#ifndef FSLOAD_LOADER_TRUST_FILE_OWNERS_H_
#define FSLOAD_LOADER_TRUST_FILE_OWNERS_H_

#include <sys/stat.h>

#include <string>

#include "loader/rules/findings.h"

namespace fsload {

// Whether others than `user` and root may replace a file of `owner` in a folder
// of this mode. Where it is sticky, only the file's owner may.
bool IsReplaceable(mode_t folder, uid_t owner, uid_t user);

// Adds a finding where everybody may write to the file that was opened as `fd`
// by `path`, or may put another in its place: in the folder that it is in, or
// in any other that `path` leads through, from the root on and behind links. A
// folder whose files only their owners may replace is fine where what `path`
// goes through is ours or root's.
void CheckOwners(int fd, const std::string& path, Findings& findings);

}  // namespace fsload

#endif  // FSLOAD_LOADER_TRUST_FILE_OWNERS_H_
