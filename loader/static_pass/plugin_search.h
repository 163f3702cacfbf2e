// Finds plugins below a folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace fsload {

// Returns whether a file with this base name counts as a shared object: "x.so"
// and "x.so.1.2".
bool IsSharedObjectName(std::string_view name);

// All sorted by path; paths start with the folder's.
struct FoundPlugins {
  std::vector<std::string> plugins;
  std::vector<std::string> others;  // named like shared objects, but are not
  std::vector<std::string> unreadable;  // files and folders, with the reason
  std::vector<std::string> irregular;   // not regular files, and what they are
};

// Checks the files named *.so, and versioned ones (*.so.1), in `folder` and its
// subfolders; links to folders are not followed. A plugin is a file that
// exports TF_InitPlugin, and one that mentions it and is damaged or for another
// machine, is truncated, or empty: to load these tells why they are refused.
// Runs no code of them. NOT_FOUND, PERMISSION_DENIED and
// the like if the folder itself cannot be listed.
absl::StatusOr<FoundPlugins> FindPlugins(const std::string& folder);

}  // namespace fsload
