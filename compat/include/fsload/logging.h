// TF_Log and TF_VLog: how a plugin writes to its host's log. Thread-safe.
// Compiles as C11 and as C++17.
//
// Real plugins pass user text as the format (a path with a "%s" in it), so
// fsload does its own formatting, and nothing crashes: `%n` is never obeyed, a
// `%s` whose argument is not a readable string prints "(unreadable)", what
// follows 32 conversions is printed as it is, and a string or a field has at
// most 4,096 bytes.
#ifndef FSLOAD_LOGGING_H_
#define FSLOAD_LOGGING_H_

#include "fsload/c_api_macros.h"

// A program may include TensorFlow's header as well, in either order:
// TensorFlow's then provides these declarations.
#if defined(FSLOAD_HOST) && defined(__has_include)
#if __has_include("tensorflow/c/logging.h")
#include "tensorflow/c/logging.h"
#endif
#endif

#if !defined(TENSORFLOW_C_LOGGING_H_) || defined(FSLOAD_TENSORFLOW_C_LOGGING_H_)

#ifdef __cplusplus
extern "C" {
#endif

// In C++ with a fixed underlying type, like TF_Code.
#ifdef __cplusplus
#define FSLOAD_COMPAT_AS_INT : int
#else
#define FSLOAD_COMPAT_AS_INT
#endif
typedef enum TF_LogLevel FSLOAD_COMPAT_AS_INT {
  TF_INFO = 0,
  TF_WARNING = 1,
  TF_ERROR = 2,
  TF_FATAL = 3,
} TF_LogLevel;
#undef FSLOAD_COMPAT_AS_INT

// Logs one message; line ends in it stay. TF_FATAL does not end the host.
FSLOAD_C_API extern void TF_Log(TF_LogLevel level, const char* fmt, ...)
    FSLOAD_C_NAME(TF_Log);

// Logs one message at detail `level`; only levels up to 0 are shown.
FSLOAD_C_API extern void TF_VLog(int level, const char* fmt, ...)
    FSLOAD_C_NAME(TF_VLog);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TensorFlow's header

#endif  // FSLOAD_LOGGING_H_
