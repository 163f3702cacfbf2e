// What a verb works on.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "fsload/file_system.h"
#include "tools/files/locations/local_tree.h"

namespace fsload {

// A path and its file system.
struct Location {
  FileSystemPtr file_system;
  std::string uri;

  // If fsload itself does the work there (local_location.h): a directory above
  // the location, and the path relative to it. Else null: the plugin does it.
  std::shared_ptr<const LocalTree> tree = nullptr;
  std::string path = {};

  // Returns another location in the file system, in no tree.
  Location At(std::string uri) const { return {file_system, std::move(uri)}; }
};

// Returns the entry at `path`, relative to `location`; `location` itself if
// `path` is empty.
Location Below(const Location& location, const std::string& path);

// Returns whether fsload itself does the work at both.
inline bool AreLocal(const Location& a, const Location& b) {
  return a.tree != nullptr && b.tree != nullptr;
}

}  // namespace fsload
