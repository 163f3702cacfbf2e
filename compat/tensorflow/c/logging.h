// TensorFlow's name for compat/logging.h, under TensorFlow's include guard.
#ifndef TENSORFLOW_C_LOGGING_H_
#define TENSORFLOW_C_LOGGING_H_
#define FSLOAD_TENSORFLOW_C_LOGGING_H_  // it is not TensorFlow's own

#include "compat/logging.h"

#endif  // TENSORFLOW_C_LOGGING_H_
