// TF_FileStatistics: what `stat` answers about one path. Compiles as C11 and as
// C++17.
#ifndef FSLOAD_COMPAT_TF_FILE_STATISTICS_H_
#define FSLOAD_COMPAT_TF_FILE_STATISTICS_H_

#include <stdbool.h>
#include <stdint.h>

typedef struct TF_FileStatistics {
  int64_t length;      // bytes
  int64_t mtime_nsec;  // last change, nanoseconds since 1970-01-01 00:00 UTC
  bool is_directory;
} TF_FileStatistics;

#endif  // FSLOAD_COMPAT_TF_FILE_STATISTICS_H_
