// TF_Status: how a plugin reports to its host that a call failed.
//
// Declares the same C functions as TensorFlow. A status has a code, a message
// and named payloads. It is not thread-safe: one thread uses a status at a
// time. Compiles as C11 and as C++17.
#ifndef FSLOAD_TF_STATUS_H_
#define FSLOAD_TF_STATUS_H_

#include "fsload/c_api_macros.h"

// A program may include TensorFlow's header as well, in either order:
// TensorFlow's then provides these declarations.
#if defined(FSLOAD_HOST) && defined(__has_include)
#if __has_include("tensorflow/c/tf_status.h")
#include "tensorflow/c/tf_status.h"
#endif
#endif

#if !defined(TENSORFLOW_C_TF_STATUS_H_) || \
    defined(FSLOAD_TENSORFLOW_C_TF_STATUS_H_)

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_Status TF_Status;

// The values of absl::StatusCode. In C++ the underlying type is fixed so that a
// plugin's code outside the list is not undefined behaviour.
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

// Returns a new status that is TF_OK. The caller owns it and frees it with
// TF_DeleteStatus.
FSLOAD_C_API extern TF_Status* TF_NewStatus(void) FSLOAD_C_NAME(TF_NewStatus);

// Frees a status from TF_NewStatus. Null is allowed.
FSLOAD_C_API extern void TF_DeleteStatus(TF_Status* status)
    FSLOAD_C_NAME(TF_DeleteStatus);

// Sets `status` to `code` and a copy of `message` (null counts as empty), and
// drops its payloads. TF_OK has no message. `message` may be the status's own
// TF_Message. A message of up to 103 bytes is stored without an allocation.
FSLOAD_C_API extern void TF_SetStatus(TF_Status* status, TF_Code code,
                                      const char* message)
    FSLOAD_C_NAME(TF_SetStatus);

// Attaches copies of `key` and `value`, replacing any payload of that key. Does
// nothing if either is null, or if the status is TF_OK, which has no payloads.
FSLOAD_C_API extern void TF_SetPayload(TF_Status* status, const char* key,
                                       const char* value)
    FSLOAD_C_NAME(TF_SetPayload);

// Called with one payload; `capture` is TF_ForEachPayload's argument.
typedef void (*TF_PayloadVisitor)(const char* key, const char* value,
                                  void* capture);

// Calls `visitor` for each payload, ordered by key. The strings are valid until
// the status changes; the visitor must not change it.
FSLOAD_C_API extern void TF_ForEachPayload(const TF_Status* status,
                                           TF_PayloadVisitor visitor,
                                           void* capture)
    FSLOAD_C_NAME(TF_ForEachPayload);

// Sets `status` to the errno value `error_code`: the code is the one for it,
// such as TF_NOT_FOUND for ENOENT, or TF_UNKNOWN if there is none. The message
// is "<context>: <errno text>"; only the text if `context` is null or empty. An
// `error_code` of 0 sets TF_OK.
FSLOAD_C_API extern void TF_SetStatusFromIOError(TF_Status* status,
                                                 int error_code,
                                                 const char* context)
    FSLOAD_C_NAME(TF_SetStatusFromIOError);

// Returns the status's code as it was set, which may be a number that TF_Code
// does not list.
FSLOAD_C_API extern TF_Code TF_GetCode(const TF_Status* status)
    FSLOAD_C_NAME(TF_GetCode);

// Returns the status's message: never null, empty for TF_OK. Owned by the
// status; valid until the status is changed or deleted.
FSLOAD_C_API extern const char* TF_Message(const TF_Status* status)
    FSLOAD_C_NAME(TF_Message);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TensorFlow's header

#endif  // FSLOAD_TF_STATUS_H_
