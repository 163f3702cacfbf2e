#include "core/walk/trailing_slash.h"

#include "absl/status/statusor.h"
#include "core/paths/path.h"
#include "core/walk/store_names.h"
#include "third_party/fmt/format.h"

namespace fsload {

std::string_view WithoutTrailingSlashes(std::string_view uri) {
  return WithoutSlashes(uri);
}

absl::Status CheckTrailingSlash(const FileSystem& file_system,
                                const std::string& uri) {
  if (WithoutTrailingSlashes(uri) == uri || HasObjects(file_system, uri)) {
    return absl::OkStatus();
  }
  const absl::StatusOr<FileStatistics> found = file_system.Stat(uri);
  // What uses the path reports the error.
  return CheckTrailingSlash(uri, !found.ok() || found->is_directory);
}

absl::Status CheckTrailingSlash(const std::string& uri, bool is_directory) {
  if (is_directory || WithoutTrailingSlashes(uri) == uri) {
    return absl::OkStatus();
  }
  return FailedPreconditionError(
      "{}: is a file, not a directory; remove the trailing '/'", uri);
}

}  // namespace fsload
