// Places on local disks, which the bundled plugin serves.
#ifndef FSLOAD_TOOLS_FILES_PLACES_LOCAL_PLACE_H_
#define FSLOAD_TOOLS_FILES_PLACES_LOCAL_PLACE_H_

#include <sys/stat.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "tools/files/local/local_tree.h"
#include "tools/files/places/place.h"
#include "tools/files/places/places.h"

namespace fsload {

// Folders already open: files in one folder share its descriptor, as a process
// may have few.
using OpenFolders =
    std::map<std::pair<std::string, Links>, std::shared_ptr<const LocalTree>>;

// Returns `place` with the directory that contains it, or its nearest existing
// ancestor, as its tree. Unchanged if another plugin serves it or nothing can
// be opened. A root, "." and ".." are their own trees.
Place InFolder(const Place& place, Links links);

// Does the same, reusing the folders in `open` and adding those that it opens.
Place InFolder(const Place& place, Links links, OpenFolders& open);

// Returns `place`, a directory or a symlink to one, as its own tree; unchanged
// if another plugin serves it or it cannot be opened.
Place AsTree(const Place& place, Links links);

// Does what LookAt does for `place`, which may be in a tree. A device, FIFO or
// socket is an error that names it.
PathState GetFileOrDirectoryState(const Place& place,
                                  StatEffort effort = StatEffort::kThorough);

// Does the same error for `place`, or OK.
absl::Status CheckNotSpecial(const Place& place);

// Returns an identifier for the file at `place`, independent of its path; "" if
// unknown. The first identifies a symlink itself, the second its target.
std::string KeyOfFile(const Place& place);
std::string KeyBehindLinks(const Place& place);

// Returns OK unless `place` is a symlink that leads through one of the kernel's
// links to a process's open files, as /dev/stdout does: a file in its place
// would not be standard output.
absl::Status CheckNotMagicLink(const Place& place);

// Deletes the file or the empty directory at `place`, through its tree or its
// plugin. Deletes a symlink itself, not its target. DATA_LOSS for a file that a
// plugin which is asked again still finds (NeedsConfirmation).
absl::Status DeleteFileAt(const Place& place);
absl::Status DeleteDirectoryAt(const Place& place);

// Returns whether one may be the other or lie inside it: both are in one file
// system, or on local disks.
bool MayMeet(const Place& a, const Place& b);

// Returns whether both are on one disk, judging by their device numbers.
// `target` and the folders above it need not exist.
bool AreOnOneDisk(const Place& source, const Place& target);

// Returns an identifier for `place`, the same for all symlinks that lead to its
// directory; the plugin's path if unknown.
std::string KeyOf(const Place& place);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLACES_LOCAL_PLACE_H_
