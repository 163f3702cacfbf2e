// Services that the host provides to plugins: time, threads, temporary files,
// shared libraries. All functions are thread-safe. Compiles as C11 and as
// C++17.
#ifndef FSLOAD_ENV_H_
#define FSLOAD_ENV_H_

#include <stddef.h>
#include <stdint.h>

#include "fsload/c_api_macros.h"
#include "fsload/tf_status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_Thread TF_Thread;

typedef struct TF_ThreadOptions {
  size_t stack_size;  // bytes, raised to the least allowed; 0: the default
  size_t guard_size;  // bytes; 0: the default
  int numa_node;      // -1: any; fsload does not bind threads to nodes
} TF_ThreadOptions;

// Creates an empty file with a unique name ending in `extension` and returns
// that name. The directory is the first usable one of $TEST_TMPDIR, $TMPDIR,
// $TMP and /tmp. The caller frees the name with free(); it is "" when no file
// could be created.
FSLOAD_C_API extern char* TF_GetTempFileName(const char* extension)
    FSLOAD_C_NAME(TF_GetTempFileName);

// Returns the seconds since 1970-01-01 00:00 UTC.
FSLOAD_C_API extern uint64_t TF_NowSeconds(void) FSLOAD_C_NAME(TF_NowSeconds);

// Fills `options` with the defaults: 0, 0 and -1.
FSLOAD_C_API extern void TF_DefaultThreadOptions(TF_ThreadOptions* options)
    FSLOAD_C_NAME(TF_DefaultThreadOptions);

// Starts a thread that runs `work_func(param)`. Null `options` are the
// defaults. `thread_name`, which may be null, is for debuggers: 15 bytes of it
// are kept. The caller owns the result and frees it with TF_JoinThread. Null
// when no thread could be started; the reason is logged.
FSLOAD_C_API extern TF_Thread* TF_StartThread(const TF_ThreadOptions* options,
                                              const char* thread_name,
                                              void (*work_func)(void*),
                                              void* param)
    FSLOAD_C_NAME(TF_StartThread);

// Waits until `thread` has finished and frees it. Null is allowed.
FSLOAD_C_API extern void TF_JoinThread(TF_Thread* thread)
    FSLOAD_C_NAME(TF_JoinThread);

// Opens a shared library (RTLD_NOW | RTLD_LOCAL) and returns its handle. On
// failure returns null and sets TF_NOT_FOUND with the dynamic linker's message.
// Never closed.
FSLOAD_C_API extern void* TF_LoadSharedLibrary(const char* library_filename,
                                               TF_Status* status)
    FSLOAD_C_NAME(TF_LoadSharedLibrary);

// Returns the address of `symbol_name` in the library `handle`. On failure
// returns null and sets TF_NOT_FOUND with the dynamic linker's message.
FSLOAD_C_API extern void* TF_GetSymbolFromLibrary(void* handle,
                                                  const char* symbol_name,
                                                  TF_Status* status)
    FSLOAD_C_NAME(TF_GetSymbolFromLibrary);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_ENV_H_
