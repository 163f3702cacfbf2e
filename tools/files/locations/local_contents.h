// The contents and attributes of local files.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"

namespace fsload {

// Returns "a character device", "a FIFO", ...; "" for a regular file, a
// directory or a symlink. A special file has no contents to copy, so it is
// never read and never replaced.
std::string SpecialKind(mode_t mode);

// Returns the error for a special file.
absl::Status IsSpecial(const std::string& uri, mode_t mode);

// Copies the contents of file `from`, described by `info`, into the empty file
// `to`; holes stay holes. Calls `after_block` with the number of bytes in each
// block; its error ends the copy. DATA_LOSS if there are fewer bytes than
// `info` says, ABORTED if the file changed meanwhile. Read errors name `uri`,
// write errors `target_uri`.
absl::Status CopyContents(
    int from, int to, const struct stat& info, const std::string& uri,
    const std::string& target_uri,
    const std::function<absl::Status(int64_t)>& after_block);

// Returns whether two open files have the same bytes, as far as they can be
// read.
bool HaveSameContents(int a, int b);

// Returns whether both are of one file.
bool IsSameFile(const struct stat& a, const struct stat& b);

// Returns whether the file was neither written nor replaced between `a` and
// `b`.
bool IsUnchanged(const struct stat& a, const struct stat& b);

// Gives `to` the attributes of `from`, described by `info`: owner, extended
// attributes, mode and times, as far as the user may set them. If the owner
// cannot be set, the set-user-ID and set-group-ID bits are dropped. 0 or an
// errno value.
int KeepAttributes(int from, int to, const struct stat& info);

// The access rights of a file. A value.
struct FileRights {
  struct stat info = {};  // owner and mode
  std::string list = {};  // access control list (ACL); "" if none
};

// Reads the ACL of the file `name` in `folder` into `rights`, whose other
// fields are set already. 0 or an errno value.
int FindRights(int folder, const std::string& name, FileRights& rights);

// Gives `to` the rights of the file that it is to replace. Fails if the ACL
// cannot be set, as others might gain rights. 0 or an errno value.
int KeepRightsOfReplaced(int to, const FileRights& replaced);

}  // namespace fsload
