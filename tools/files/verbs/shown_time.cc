#include "tools/files/verbs/shown_time.h"

#include <variant>

#include "absl/time/time.h"
#include "core/file_system/plugin_file_system.h"

namespace fsload {

ShownTime ShownTimeOf(const FileSystem& file_system,
                      const FileStatistics& found) {
  if (found.is_directory && found.mtime_nsec == 0 &&
      !TablesOf(file_system).traits.is_exact) {
    return {"unknown", std::monostate()};
  }
  // As "2026-01-31T23:59:59.123456789Z".
  const std::string text = absl::FormatTime(
      "%Y-%m-%dT%H:%M:%E9SZ", absl::FromUnixNanos(found.mtime_nsec),
      absl::UTCTimeZone());
  return {text, text};
}

}  // namespace fsload
