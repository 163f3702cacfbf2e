// Detects symlinks that lead to a directory above them. No operation of the
// interface tells symlinks from directories, so a walk would never end.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "fsload/file_system.h"

namespace fsload {

// A directory on a walk. Immutable once it is checked, so thread-safe.
struct WalkedDirectory {
  std::string uri;
  size_t fingerprint;  // of its names, sorted; 0: empty
  size_t depth;        // 0: the start of the walk
  // How many of it and its ancestors were checked and found to go on, with the
  // same names, farther than the system would follow links.
  size_t endless;
  std::shared_ptr<const WalkedDirectory> parent;  // null at the start
};

std::shared_ptr<WalkedDirectory> Enter(
    const std::string& uri, const std::vector<std::string>& names,
    std::shared_ptr<const WalkedDirectory> parent);

// Returns whether `uri` is known to be a symlink: only the bundled plugin and
// its like (PluginTraits::has_local_paths) tell.
bool IsOwnLink(const FileSystem& file_system, const std::string& uri);

// Returns FAILED_PRECONDITION if `directory` is one of its own ancestors, or
// deeper than any walk goes; else OK. Queries the plugin only if an ancestor
// has the same names: whether the path from there to here can be repeated
// without end, which it can if the system reports too many symlinks. Of a
// plugin that never does, a bounded number of times: only the depth then ends
// the walk.
absl::Status CheckForLoop(const FileSystem& file_system,
                          WalkedDirectory& directory);

}  // namespace fsload
