// The time of modification as verbs show it.
#pragma once

#include <string>

#include "fsload/file_system.h"
#include "tools/files/output/json_fields.h"

namespace fsload {

struct ShownTime {
  std::string text;        // "unknown" if it is
  JsonField::Value value;  // null if it is unknown
};

// Returns how to show the time of `found`. Stores have no times of directories,
// and their plugins say 1970; on a disk, that is a time like others.
ShownTime ShownTimeOf(const FileSystem& file_system,
                      const FileStatistics& found);

}  // namespace fsload
