// Places on this machine's disks, whose plugin is the bundled one.
#ifndef FSLOAD_TOOLS_FILES_PLAN_LOCAL_PLACE_H_
#define FSLOAD_TOOLS_FILES_PLAN_LOCAL_PLACE_H_

#include <sys/stat.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "tools/files/local/local_tree.h"
#include "tools/files/plan/places.h"
#include "tools/files/plan/plan.h"

namespace fsload {

// Folders that are open already: files of one folder share its descriptor, of
// which a process has few.
using OpenFolders =
    std::map<std::pair<std::string, Links>, std::shared_ptr<const LocalTree>>;

// `place` with the directory that it is in, or would be, as its tree: the
// nearest that is there. As it was where its plugin is another one, or nothing
// can be opened. A root, "." and ".." are their own trees.
Place InFolder(const Place& place, Links links);

// The same, with folders of `open`, which gets what is opened.
Place InFolder(const Place& place, Links links, OpenFolders& open);

// `place`, a directory, as a tree of its own, also where a link leads there; as
// it was where its plugin is another one, or it cannot be opened.
Place AsTree(const Place& place, Links links);

// LookAt of `place`, which may be in a tree. A device, FIFO or socket is an
// error, which names it.
Look LookAtFileOrDirectory(const Place& place);

// The same error for `place`, or OK.
absl::Status CheckNotSpecial(const Place& place);

// A name for the file that stands at `place`, whatever its path; "" where that
// cannot be known. Of a link for itself, and for what it leads to.
std::string KeyOfFile(const Place& place);
std::string KeyBehindLinks(const Place& place);

// OK unless `place` is a link that leads through one of the kernel's to what a
// process has open, as /dev/stdout does: a file in its place would be no
// standard output.
absl::Status CheckNotMagicLink(const Place& place);

// Deletes the file, or the empty directory, at `place`: in its tree, or by its
// plugin. A link goes itself.
absl::Status DeleteFileAt(const Place& place);
absl::Status DeleteDirectoryAt(const Place& place);

// Whether one of them may be the other, or be in it: both are of one file
// system, or on this machine's disks.
bool MayMeet(const Place& a, const Place& b);

// Whether both are on one disk, as far as their devices tell. `target` need not
// be there, nor the folders that it is in.
bool AreOnOneDisk(const Place& source, const Place& target);

// A name for what stands at `place`, that is the same for all links that the
// directory may be reached by; the plugin's path where that cannot be known.
std::string KeyOf(const Place& place);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_LOCAL_PLACE_H_
