// Whether something is at a path, for callers that act on the answer.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/file_system.h"

namespace fsload {

// Returns whether a file or directory is at `uri`. "No" takes two answers
// (core/copies/confirmed_lookup.h); an error if it is unknown.
inline absl::StatusOr<bool> IsThere(const FileSystem& file_system,
                                    const std::string& uri) {
  const absl::Status exists = file_system.FileExists(uri);
  if (exists.ok()) return true;
  // A store's root has no name in it, and may be refused for that.
  if (!absl::IsNotFound(exists) && !absl::IsInvalidArgument(exists)) {
    return exists;
  }
  const absl::StatusOr<std::optional<FileStatistics>> found =
      file_system.StatIfExists(uri);
  if (!found.ok()) return found.status();
  return found->has_value();
}

}  // namespace fsload
