// TensorFlow's name for fsload/tf_status.h, under TensorFlow's include guard.
#ifndef TENSORFLOW_C_TF_STATUS_H_
#define TENSORFLOW_C_TF_STATUS_H_
#define FSLOAD_TENSORFLOW_C_TF_STATUS_H_  // not TensorFlow's own

#include "fsload/tf_status.h"

#endif  // TENSORFLOW_C_TF_STATUS_H_
