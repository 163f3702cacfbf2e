// Whether a file is still what it was when reading it began.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "fsload/file_statistics.h"

namespace fsload {

// Returns ABORTED, naming `uri`, if its length or time differs.
absl::Status CheckUnchanged(std::string_view uri, const FileStatistics& before,
                            const FileStatistics& after);

}  // namespace fsload
