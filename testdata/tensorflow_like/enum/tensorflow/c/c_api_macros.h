// As in TensorFlow: a macro defined without checking first.
#ifndef TENSORFLOW_C_C_API_MACROS_H_
#define TENSORFLOW_C_C_API_MACROS_H_

#define TF_CAPI_EXPORT __attribute__((visibility("default")))

#endif  // TENSORFLOW_C_C_API_MACROS_H_
