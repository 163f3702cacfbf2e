#include "tools/files/names/presence.h"

#include <string>

#include "absl/status/status.h"
#include "core/paths/path.h"
#include "core/walk/link_loop.h"
#include "core/walk/store_names.h"

namespace fsload {

absl::StatusOr<std::optional<FileStatistics>> FoundAt(
    const FileSystem& file_system, const std::string& uri) {
  auto found = file_system.StatIfExists(uri);
  // HDFS denies a look below a file.
  if (!absl::IsFailedPrecondition(found.status()) &&
      !absl::IsPermissionDenied(found.status())) {
    return found;
  }
  // In a store, there may be objects below an object.
  const std::string folder(Dirname(uri));
  if (folder == uri || (absl::IsPermissionDenied(found.status()) &&
                        HasObjects(file_system, uri))) {
    return found;
  }
  const auto above = FoundAt(file_system, folder);
  if (!above.ok()) return above.status();
  const bool is_directory = above->has_value() && (*above)->is_directory;
  return is_directory ? found : std::nullopt;
}

absl::StatusOr<bool> IsThere(const FileSystem& file_system,
                             const std::string& uri) {
  const absl::Status exists = file_system.FileExists(uri);
  if (exists.ok()) return true;
  // A store's root has no name in it, and may be refused for that.
  if (!absl::IsNotFound(exists) && !absl::IsInvalidArgument(exists) &&
      !absl::IsFailedPrecondition(exists)) {
    return exists;
  }
  const auto found = FoundAt(file_system, uri);
  if (!found.ok()) return found.status();
  return found->has_value();
}

absl::StatusOr<bool> IsThereOrLink(const FileSystem& file_system,
                                   const std::string& uri) {
  if (IsOwnLink(file_system, uri)) return true;
  const auto found = FoundAt(file_system, uri);
  if (!found.ok()) return found.status();
  return found->has_value();
}

}  // namespace fsload
