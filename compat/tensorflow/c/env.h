// TensorFlow's name for compat/env.h, under TensorFlow's include guard.
#ifndef TENSORFLOW_C_ENV_H_
#define TENSORFLOW_C_ENV_H_

#include "compat/env.h"

#endif  // TENSORFLOW_C_ENV_H_
