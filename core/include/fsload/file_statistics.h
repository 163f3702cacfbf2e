// Length, modification time and kind of one path.
#ifndef FSLOAD_FILE_STATISTICS_H_
#define FSLOAD_FILE_STATISTICS_H_

#include <cstdint>

#include "fsload/export.h"
#include "fsload/tf_file_statistics.h"

namespace FSLOAD_API fsload {

// Has `length` in bytes, `mtime_nsec` in nanoseconds since 1970-01-01 00:00
// UTC, and `is_directory`.
using FileStatistics = TF_FileStatistics;

// How much effort is spent to confirm that nothing is there. kCheap saves
// requests to a store, for a caller that would replace a file anyway: it may
// miss a file, and whatever was created since a listing that fsload remembers.
enum class StatEffort : uint8_t { kThorough, kCheap };

}  // namespace fsload

#endif  // FSLOAD_FILE_STATISTICS_H_
