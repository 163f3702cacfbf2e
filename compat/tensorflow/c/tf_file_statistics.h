// TensorFlow's name for fsload/tf_file_statistics.h, under TensorFlow's include
// guard.
#ifndef TENSORFLOW_C_TF_FILE_STATISTICS_H_
#define TENSORFLOW_C_TF_FILE_STATISTICS_H_
#define FSLOAD_TENSORFLOW_C_TF_FILE_STATISTICS_H_  // not TensorFlow's own

#include "fsload/tf_file_statistics.h"

#endif  // TENSORFLOW_C_TF_FILE_STATISTICS_H_
