// C API: observing each call of a plugin, and the log.
#ifndef FSLOAD_C_OBSERVER_H_
#define FSLOAD_C_OBSERVER_H_

#include "fsload/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// A call of one of a plugin's operations. Valid only during the callback, with
// its strings; `operation` is valid forever.
typedef struct fsload_call {
  size_t struct_size;
  const char* scheme;     // under which the plugin is registered
  const char* operation;  // "RandomAccessFile.read"

  // As the caller wrote it, or the path that fsload produced to carry out an
  // operation that the plugin lacks; the first if there are several.
  // "scheme://" for a call without a path.
  const char* uri;

  // The rest is set once the call is over.

  // What a read returned, or what an append was given, even if it failed: these
  // bytes have moved only if `code` is OK, or OUT_OF_RANGE of a read. -1 for
  // other operations, after an exception, and if a read returned no possible
  // number, as most that fail.
  int64_t bytes;
  int64_t nanoseconds;  // how long it took

  // As the plugin set it; UNKNOWN for a number that is no code; that of an
  // exception as in fsload/c/paths.h; INTERNAL if the call ended its thread.
  fsload_code code;
} fsload_call;

// What an observer calls, from the thread that makes the call: from many
// threads at once. Either function may be null. They may use this API, but for
// fsload_observer_stop; calls that they make are observed as well.
typedef struct fsload_callbacks {
  size_t struct_size;
  void* data;  // given to both
  void (*before_call)(void* data, const fsload_call* call);
  void (*after_call)(void* data, const fsload_call* call);
} fsload_callbacks;

// An observer to name in fsload_load_options. It costs a few bytes that are
// never freed, because plugins stay loaded and keep it.
typedef struct fsload_observer fsload_observer;

// Creates an observer with a copy of *callbacks. It is never freed.
FSLOAD_API fsload_code fsload_observer_new(const fsload_callbacks* callbacks,
                                           fsload_observer** observer,
                                           fsload_error** error);

// Ends the callbacks of `observer`: those that are running are over when this
// returns, and no more begin, so their data may be freed. Must not be called
// from one of them: it would wait for itself. The pointer stays valid. Null is
// ignored.
FSLOAD_API void fsload_observer_stop(fsload_observer* observer);

// How important a log message is.
typedef enum fsload_log_level FSLOAD_AS_INT {
  FSLOAD_LOG_INFO = 0,
  FSLOAD_LOG_WARNING = 1,
  FSLOAD_LOG_ERROR = 2,
  FSLOAD_LOG_FATAL = 3  // of a plugin; the process goes on
} fsload_log_level;

// Gets one log message, from any thread, possibly several at once. `message` is
// valid only during the call; names and plugins' texts in it are as they were,
// with line ends and control characters. `from_plugin` is 1 for a message that
// a plugin wrote with TF_Log, 0 for fsload's own.
typedef void (*fsload_log_callback)(void* data, fsload_log_level level,
                                    int from_plugin, const char* message);

// Sends all further log messages of this process to `callback`; to standard
// error, as at first, if it is null. A message in progress may still go to the
// previous callback, so its data must stay valid until the process ends. Each
// callback takes a few bytes that are never freed.
FSLOAD_API fsload_code fsload_set_log(fsload_log_callback callback, void* data,
                                      fsload_error** error);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_C_OBSERVER_H_
