// TF_Log and TF_VLog: how a plugin writes to its host's log. Both may be called
// from any thread. Compiles as C11 and as C++17.
//
// Real plugins pass text of their users as the format (a path with a "%s" in
// it), so fsload formats by itself: `%n` is never obeyed, a `%s` whose argument
// is no readable string prints as "(unreadable)", and nothing crashes.
#ifndef FSLOAD_LOGGING_H_
#define FSLOAD_LOGGING_H_

#include "fsload/c_api_macros.h"

// A program may have TensorFlow's header beside this one, in either order: then
// it is TensorFlow's that declares all of this, for the program.
#if defined(FSLOAD_HOST) && defined(__has_include)
#if __has_include("tensorflow/c/logging.h")
#include "tensorflow/c/logging.h"
#endif
#endif

#if !defined(TENSORFLOW_C_LOGGING_H_) || defined(FSLOAD_TENSORFLOW_C_LOGGING_H_)

#ifdef __cplusplus
extern "C" {
#endif

// In C++ with its type, as TF_Code is.
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

// Logs one line. TF_FATAL is a level like the others: it does not end the host.
FSLOAD_C_API extern void TF_Log(TF_LogLevel level, const char* fmt, ...)
    FSLOAD_C_NAME(TF_Log);

// Logs one line of detail `level`; only level 0 and below are shown.
FSLOAD_C_API extern void TF_VLog(int level, const char* fmt, ...)
    FSLOAD_C_NAME(TF_VLog);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TensorFlow's header

#endif  // FSLOAD_LOGGING_H_
