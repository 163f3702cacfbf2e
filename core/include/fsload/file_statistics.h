// Length, modification time and kind of one path.
#ifndef FSLOAD_FILE_STATISTICS_H_
#define FSLOAD_FILE_STATISTICS_H_

#include "fsload/tf_file_statistics.h"

namespace fsload {

// length in bytes, mtime_nsec since 1970 in nanoseconds, is_directory.
using FileStatistics = TF_FileStatistics;

}  // namespace fsload

#endif  // FSLOAD_FILE_STATISTICS_H_
