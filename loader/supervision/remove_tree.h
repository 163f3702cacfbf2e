// Removes a folder that somebody filled who wanted it to stay.
#ifndef FSLOAD_LOADER_SUPERVISION_REMOVE_TREE_H_
#define FSLOAD_LOADER_SUPERVISION_REMOVE_TREE_H_

#include <string>

namespace fsload {

// Removes the folder at `path` with all that is in it, as deep as it may be,
// and where folders in it have modes that would not let their owner; whether
// all is gone. Goes through no symbolic links. Holds two descriptors and the
// names of the folders that it has yet to go into. For folders that nobody else
// changes meanwhile.
bool RemoveTree(const std::string& path);

}  // namespace fsload

#endif  // FSLOAD_LOADER_SUPERVISION_REMOVE_TREE_H_
