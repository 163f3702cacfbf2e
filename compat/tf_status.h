// TF_Status: how a plugin tells its host that a call failed.
//
// The C declarations of TensorFlow's status, in fsload's own words. A status
// has a code, a message and named payloads. It is not thread-safe: one thread
// uses one status at a time. Compiles as C11 and as C++17.
#ifndef FSLOAD_COMPAT_TF_STATUS_H_
#define FSLOAD_COMPAT_TF_STATUS_H_

#include "compat/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_Status TF_Status;

// The values are those of absl::StatusCode. In C++ the type is given, so that a
// plugin's number outside the list is a value like any other, not undefined.
#ifdef __cplusplus
#define FSLOAD_COMPAT_AS_INT : int
#else
#define FSLOAD_COMPAT_AS_INT
#endif
typedef enum TF_Code FSLOAD_COMPAT_AS_INT {
  TF_OK = 0,
  TF_CANCELLED = 1,
  TF_UNKNOWN = 2,
  TF_INVALID_ARGUMENT = 3,
  TF_DEADLINE_EXCEEDED = 4,
  TF_NOT_FOUND = 5,
  TF_ALREADY_EXISTS = 6,
  TF_PERMISSION_DENIED = 7,
  TF_RESOURCE_EXHAUSTED = 8,
  TF_FAILED_PRECONDITION = 9,
  TF_ABORTED = 10,
  TF_OUT_OF_RANGE = 11,
  TF_UNIMPLEMENTED = 12,
  TF_INTERNAL = 13,
  TF_UNAVAILABLE = 14,
  TF_DATA_LOSS = 15,
  TF_UNAUTHENTICATED = 16,
} TF_Code;
#undef FSLOAD_COMPAT_AS_INT

// Yields a new status that is TF_OK. The caller owns it: TF_DeleteStatus.
TF_CAPI_EXPORT extern TF_Status* TF_NewStatus(void);

// Frees what TF_NewStatus gave. Null is allowed and does nothing.
TF_CAPI_EXPORT extern void TF_DeleteStatus(TF_Status* status);

// Makes `status` hold `code` and a copy of `message` (null counts as empty),
// and drops its payloads. TF_OK has no message. `message` may be the status's
// own TF_Message. A message of up to 103 bytes is stored without an allocation.
TF_CAPI_EXPORT extern void TF_SetStatus(TF_Status* status, TF_Code code,
                                        const char* message);

// Attaches copies of `key` and `value`, replacing what `key` had. A status that
// is TF_OK carries no payloads: the call then does nothing.
TF_CAPI_EXPORT extern void TF_SetPayload(TF_Status* status, const char* key,
                                         const char* value);

// Called with one payload; `capture` is what TF_ForEachPayload was given.
typedef void (*TF_PayloadVisitor)(const char* key, const char* value,
                                  void* capture);

// Calls `visitor` for each payload, in the order of the keys. The strings live
// as long as the status is not changed; the visitor must not change it.
TF_CAPI_EXPORT extern void TF_ForEachPayload(const TF_Status* status,
                                             TF_PayloadVisitor visitor,
                                             void* capture);

// Makes `status` describe the errno value `error_code`: the code from one table
// (compat/io_error.cc), the message "<context>: <what errno means>". An
// error_code of 0 makes it TF_OK.
TF_CAPI_EXPORT extern void TF_SetStatusFromIOError(TF_Status* status,
                                                   int error_code,
                                                   const char* context);

// The status's code.
TF_CAPI_EXPORT extern TF_Code TF_GetCode(const TF_Status* status);

// The status's message, never null, empty for TF_OK. Owned by the status, valid
// until that is changed or deleted.
TF_CAPI_EXPORT extern const char* TF_Message(const TF_Status* status);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_COMPAT_TF_STATUS_H_
