// The contents of files on this machine's disks, and what else a file has.
#ifndef FSLOAD_TOOLS_FILES_LOCAL_LOCAL_CONTENTS_H_
#define FSLOAD_TOOLS_FILES_LOCAL_LOCAL_CONTENTS_H_

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"

namespace fsload {

// "a character device", "a FIFO", ...; "" for a file, a directory and a link.
// What is none of these has no contents that could be copied: it is never read
// and never replaced.
std::string SpecialKind(mode_t mode);

// The error of what is such a thing.
absl::Status IsSpecial(const std::string& uri, mode_t mode);

// Copies what the file `from` holds, of which `info` was said, into the empty
// file `to`; holes stay holes. Calls `after_block` with each number of bytes,
// whose error ends the copy. DATA_LOSS where there is less than `info` says,
// ABORTED where the file changed meanwhile. `uri` is the source's; an error of
// writing is `target_uri`'s.
absl::Status CopyContents(
    int from, int to, const struct stat& info, const std::string& uri,
    const std::string& target_uri,
    const std::function<absl::Status(int64_t)>& after_block);

// Whether nothing was written to a file between `a` and `b`, or put in its
// place.
bool IsUnchanged(const struct stat& a, const struct stat& b);

// Gives `to` what `from`, of which `info` was said, has beside its contents:
// owner, extended attributes, mode and times, as far as the user may. Without
// the owner, it has no set-user-ID and set-group-ID bits. 0, or an errno value.
int KeepAttributes(int from, int to, const struct stat& info);

// Who may do what with a file. A value.
struct FileRights {
  struct stat info = {};  // owner and mode
  std::string list = "";  // of access rights (ACL); "" for none
};

// Finds the list of the file `name` in `folder`, of which `rights` has the
// rest: 0, or an errno value.
int FindRights(int folder, const std::string& name, FileRights& rights);

// Gives `to` those of the file that it is to replace. Where the list cannot be
// given, that is an error: others might get rights. 0, or an errno value.
int KeepRightsOfReplaced(int to, const FileRights& replaced);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_LOCAL_LOCAL_CONTENTS_H_
