// Lists a local directory tree.
#pragma once

#include <optional>

#include "tools/files/listing/tree.h"

namespace fsload {

// Lists a root in a LocalTree, like ListTree, at any depth. If the tree follows
// symlinks, one that leads to a directory above it is an error and is not
// followed; so is a device, FIFO or socket. If it refuses symlinks, everything
// but a directory is listed like a file.
std::optional<ListedTree> ListLocalTree(const TreeRequest& request);

}  // namespace fsload
