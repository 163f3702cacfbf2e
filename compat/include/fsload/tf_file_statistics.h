// TF_FileStatistics: the result of `stat` for one path. Compiles as C11 and as
// C++17.
#ifndef FSLOAD_TF_FILE_STATISTICS_H_
#define FSLOAD_TF_FILE_STATISTICS_H_

// A program may include TensorFlow's header as well, in either order:
// TensorFlow's then provides these declarations.
#if defined(FSLOAD_HOST) && defined(__has_include)
#if __has_include("tensorflow/c/tf_file_statistics.h")
#include "tensorflow/c/tf_file_statistics.h"
#endif
#endif

#if !defined(TENSORFLOW_C_TF_FILE_STATISTICS_H_) || \
    defined(FSLOAD_TENSORFLOW_C_TF_FILE_STATISTICS_H_)

#include <stdbool.h>
#include <stdint.h>

typedef struct TF_FileStatistics {
  int64_t length;      // bytes
  int64_t mtime_nsec;  // last change, nanoseconds since 1970-01-01 00:00 UTC
  bool is_directory;
} TF_FileStatistics;

#endif  // TensorFlow's header

#endif  // FSLOAD_TF_FILE_STATISTICS_H_
