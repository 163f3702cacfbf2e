#include "tools/files/verbs/shown_time.h"

#include <variant>

#include "core/file_system/plugin_file_system.h"
#include "tools/text/time_text.h"

namespace fsload {

ShownTime ShownTimeOf(const FileSystem& file_system,
                      const FileStatistics& found) {
  if (found.is_directory && found.mtime_nsec == 0 &&
      !TablesOf(file_system).traits.is_exact) {
    return {"unknown", std::monostate()};
  }
  const std::string text = TimeText(found.mtime_nsec);
  return {text, text};
}

}  // namespace fsload
