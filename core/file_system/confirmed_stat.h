// What is at a path, without trusting a single NOT_FOUND.
#pragma once

#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/file_system/plugin_file_system.h"
#include "fsload/file_system.h"

namespace fsload {

// Does what Stat does, for callers that report what they find: NOT_FOUND takes
// two answers (core/copies/confirmed_lookup.h), because plugins report it for
// servers that fail; UNAVAILABLE or PERMISSION_DENIED if it is unknown.
inline absl::StatusOr<FileStatistics> StatConfirmed(
    const FileSystem& file_system, std::string_view uri) {
  if (!TablesOf(file_system).traits.is_exact) {
    const absl::StatusOr<std::optional<FileStatistics>> found =
        file_system.StatIfExists(uri);
    if (!found.ok()) return found.status();
    if (found->has_value()) return **found;
  }
  return file_system.Stat(uri);
}

// Looks up an entry of a listing: as StatConfirmed does only where the plugin's
// NOT_FOUND is unreliable; elsewhere NOT_FOUND means a link that leads nowhere.
inline absl::StatusOr<FileStatistics> StatListed(const FileSystem& file_system,
                                                 std::string_view uri) {
  return TablesOf(file_system).traits.reading_tells
             ? StatConfirmed(file_system, uri)
             : file_system.Stat(uri);
}

}  // namespace fsload
