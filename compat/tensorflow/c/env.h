// TensorFlow's name for fsload/env.h, under TensorFlow's include guard.
#ifndef TENSORFLOW_C_ENV_H_
#define TENSORFLOW_C_ENV_H_

#include "fsload/env.h"

#endif  // TENSORFLOW_C_ENV_H_
