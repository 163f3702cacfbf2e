// Which files below a folder are plugins.
#ifndef FSLOAD_LOADER_STATIC_PASS_PLUGIN_SEARCH_H_
#define FSLOAD_LOADER_STATIC_PASS_PLUGIN_SEARCH_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace fsload {

// Whether a file of this name, without its folder, is taken for a shared
// object: "x.so" and "x.so.1.2".
bool IsSharedObjectName(std::string_view name);

// All in the order of their paths, which start with the folder's.
struct FoundPlugins {
  std::vector<std::string> plugins;
  std::vector<std::string> others;      // shared objects by name that are none
  std::vector<std::string> unreadable;  // files and folders, and why
  std::vector<std::string> irregular;   // what is no file, and what it is
};

// Looks at the files named *.so, and their versions (*.so.1), in `folder` and
// the folders in it; links to folders are not followed. A plugin is one that
// exports TF_InitPlugin. Runs nothing of them. NOT_FOUND, PERMISSION_DENIED and
// the like when the folder itself cannot be listed.
absl::StatusOr<FoundPlugins> FindPlugins(const std::string& folder);

}  // namespace fsload

#endif  // FSLOAD_LOADER_STATIC_PASS_PLUGIN_SEARCH_H_
