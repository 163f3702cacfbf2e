// TF_Log and TF_VLog: how a plugin writes to its host's log. Both may be called
// from any thread. Compiles as C11 and as C++17.
//
// Real plugins pass text of their users as the format (a path with a "%s" in
// it), so fsload formats by itself: `%n` is never obeyed, a `%s` whose argument
// is no readable string prints as "(unreadable)", and nothing crashes.
#ifndef FSLOAD_COMPAT_LOGGING_H_
#define FSLOAD_COMPAT_LOGGING_H_

#include "compat/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TF_LogLevel {
  TF_INFO = 0,
  TF_WARNING = 1,
  TF_ERROR = 2,
  TF_FATAL = 3,
} TF_LogLevel;

// Logs one line. TF_FATAL is a level like the others: it does not end the host.
TF_CAPI_EXPORT extern void TF_Log(TF_LogLevel level, const char* fmt, ...);

// Logs one line of detail `level`; only level 0 and below are shown.
TF_CAPI_EXPORT extern void TF_VLog(int level, const char* fmt, ...);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_COMPAT_LOGGING_H_
