// Removes a folder whose contents may resist removal.
#pragma once

#include <string>

namespace fsload {

// Removes the folder at `path` and its contents, however deep, including
// folders whose modes deny their owner access; returns whether all of it is
// gone. Follows no symbolic links. Holds two descriptors and the names of the
// folders still to visit. Nobody else may change the folder meanwhile.
bool RemoveTree(const std::string& path);

}  // namespace fsload
