// TensorFlow's name for fsload/c_api_macros.h, under TensorFlow's include
// guard.
#ifndef TENSORFLOW_C_C_API_MACROS_H_
#define TENSORFLOW_C_C_API_MACROS_H_

#include "fsload/c_api_macros.h"

#endif  // TENSORFLOW_C_C_API_MACROS_H_
