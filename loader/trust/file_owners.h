// Checks whether anybody that the user does not trust can change a file.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "loader/rules/findings.h"

namespace fsload {

// Returns whether anybody but `user` and root can replace a file of `owner` in
// a folder of this mode. If it is sticky, only the file's owner can.
bool IsReplaceable(mode_t folder, uid_t owner, uid_t user);

struct OpenFolder {
  std::string path;
  mode_t mode;
};

// Returns a folder by which anybody can put another file at `path`, which need
// not exist: its own, or any other that `path` passes through, from the root
// on, also through links. A sticky folder is fine if what `path` goes through
// in it belongs to us or root. None if there is none.
std::optional<OpenFolder> FindOpenFolder(const std::string& path);

// Adds a finding if the file that was opened as `fd` by `path` is
// world-writable, or if anybody can put another in its place, or if `path`
// names another file by then, or none.
void CheckOwners(int fd, const std::string& path, Findings& findings);

}  // namespace fsload
