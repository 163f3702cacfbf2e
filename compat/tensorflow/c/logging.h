// TensorFlow's name for fsload/logging.h, under TensorFlow's include guard.
#ifndef TENSORFLOW_C_LOGGING_H_
#define TENSORFLOW_C_LOGGING_H_
#define FSLOAD_TENSORFLOW_C_LOGGING_H_  // not TensorFlow's own

#include "fsload/logging.h"

#endif  // TENSORFLOW_C_LOGGING_H_
