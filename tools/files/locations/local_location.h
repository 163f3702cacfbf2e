// Locations on local disks, which the bundled plugin serves.
#pragma once

#include <sys/stat.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "tools/files/locations/local_tree.h"
#include "tools/files/locations/location.h"
#include "tools/files/locations/path_checks.h"

namespace fsload {

// Folders already open: files in one folder share its descriptor, as a process
// may have few.
using OpenFolders =
    std::map<std::pair<std::string, Links>, std::shared_ptr<const LocalTree>>;

// Returns `location` with the directory that contains it, or its nearest
// existing ancestor, as its tree. Unchanged if another plugin serves it or
// nothing can be opened. A root, "." and ".." are their own trees.
Location InFolder(const Location& location, Links links);

// Does the same, reusing the folders in `open` and adding those that it opens.
Location InFolder(const Location& location, Links links, OpenFolders& open);

// Returns `location`, a directory or a symlink to one, as its own tree;
// unchanged if another plugin serves it or it cannot be opened.
Location AsTree(const Location& location, Links links);

// Returns what is at `location`, which may be in a tree, as GetPathState does.
// A device, FIFO or socket is an error that names it.
PathState GetFileOrDirectoryState(const Location& location,
                                  StatEffort effort = StatEffort::kThorough);

// Returns that error if a device, FIFO or socket is at `location`, otherwise
// OK.
absl::Status CheckNotSpecial(const Location& location);

// Returns an identifier for a file of this machine, of which the others are
// made.
std::string IdentityOf(const struct stat& file);

// Returns an identifier for the file at `location`, independent of its path; ""
// if unknown. The first identifies a symlink itself, the second its target.
std::string KeyOfFile(const Location& location);
std::string KeyBehindLinks(const Location& location);

// Returns OK unless `location` is a symlink that leads through one of the
// kernel's links to a process's open files, as /dev/stdout does: a file in its
// place would not be standard output.
absl::Status CheckNotMagicLink(const Location& location);

// Returns OK unless the path of `location` leads to another file than its tree
// does, because a folder on the way was replaced since the tree was opened:
// then ABORTED, as the plugin reads the one and DeleteFileAt deletes the other.
absl::Status CheckLeadsToTree(const Location& location);

// Deletes the file or the empty directory at `location`, through its tree or
// its plugin. Deletes a symlink itself, not its target. DATA_LOSS for a file
// that a plugin which is asked again still finds (NeedsConfirmation).
absl::Status DeleteFileAt(const Location& location);
absl::Status DeleteDirectoryAt(const Location& location);

// Returns whether both are on one disk, judging by their device numbers.
// `target` and the folders above it need not exist.
bool AreOnOneDisk(const Location& source, const Location& target);

// Returns an identifier for `location`, the same for all symlinks that lead to
// its directory; the plugin's path if unknown.
std::string KeyOf(const Location& location);

}  // namespace fsload
