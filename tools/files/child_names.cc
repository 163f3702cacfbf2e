#include "tools/files/child_names.h"

#include <algorithm>

namespace fsload {

absl::StatusOr<std::vector<std::string>> ChildNames(
    const FileSystem& file_system, const std::string& uri) {
  absl::StatusOr<std::vector<std::string>> names = file_system.GetChildren(uri);
  if (!names.ok()) return names;
  std::sort(names->begin(), names->end());
  names->erase(std::unique(names->begin(), names->end()), names->end());
  return names;
}

}  // namespace fsload
