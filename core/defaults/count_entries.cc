#include "core/defaults/count_entries.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "third_party/fmt/format.h"

namespace fsload {

Undeleted CountEntries(const PluginOps& ops, const std::string& path) {
  constexpr size_t kMaxCounted = 1'000'000;
  // Where directories are nested without end, paths grow.
  constexpr size_t kMaxBytes = size_t{1} << 28;
  size_t bytes = 0;
  Undeleted found;
  std::vector<std::string> paths = {path};
  for (size_t counted = 0;
       !paths.empty() && counted < kMaxCounted && bytes < kMaxBytes;) {
    const std::string directory = std::move(paths.back());
    paths.pop_back();
    const absl::StatusOr<std::vector<std::string>> names =
        ops.GetChildren(PathArgument(directory));
    if (!names.ok()) continue;
    for (const std::string& name : *names) {
      ++counted;
      if (!IsEntryName(name)) {
        ++found.files;
        continue;
      }
      std::string child = Format("{}/{}", directory, name);
      bytes += child.size();
      const absl::StatusOr<bool> is_directory =
          ops.IsDirectory(PathArgument(child));
      if (is_directory.ok() && *is_directory) {
        ++found.directories;
        paths.push_back(std::move(child));
      } else {
        ++found.files;
      }
    }
  }
  return found;
}

}  // namespace fsload
