// What is at a path, without trusting a single NOT_FOUND.
#ifndef FSLOAD_CORE_FILE_SYSTEM_STAT_SURELY_H_
#define FSLOAD_CORE_FILE_SYSTEM_STAT_SURELY_H_

#include <optional>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/file_system/plugin_file_system.h"
#include "fsload/file_system.h"

namespace fsload {

// As Stat, for callers that report what they find: NOT_FOUND takes two answers
// (core/defaults/second_look.h), because plugins report it for servers that
// fail; UNAVAILABLE or PERMISSION_DENIED if it is unknown.
inline absl::StatusOr<FileStatistics> StatSurely(const FileSystem& file_system,
                                                 std::string_view uri) {
  const absl::StatusOr<FileStatistics> found = file_system.Stat(uri);
  if (!absl::IsNotFound(found.status()) ||
      TablesOf(file_system).traits.is_exact) {
    return found;
  }
  const absl::StatusOr<std::optional<FileStatistics>> again =
      file_system.StatIfThere(uri);
  if (!again.ok()) return again.status();
  return again->has_value() ? **again : found;
}

}  // namespace fsload

#endif  // FSLOAD_CORE_FILE_SYSTEM_STAT_SURELY_H_
