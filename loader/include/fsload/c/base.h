// What all of the C API uses: codes, errors, lists of strings, the version.
// What holds for all of its functions is in fsload/fsload.h.
#ifndef FSLOAD_C_BASE_H_
#define FSLOAD_C_BASE_H_

#include <stddef.h>
#include <stdint.h>

#include "fsload/export.h"

// In C++ enums have a fixed underlying type, so that a number outside the list
// is not undefined behaviour.
#ifdef __cplusplus
#define FSLOAD_AS_INT : int
#else
#define FSLOAD_AS_INT
#endif

#ifdef __cplusplus
extern "C" {
#endif

// The result of a call, with the numbers of TF_Code and absl::StatusCode.
typedef enum fsload_code FSLOAD_AS_INT {
  FSLOAD_OK = 0,
  FSLOAD_CANCELLED = 1,
  FSLOAD_UNKNOWN = 2,
  FSLOAD_INVALID_ARGUMENT = 3,
  FSLOAD_DEADLINE_EXCEEDED = 4,
  FSLOAD_NOT_FOUND = 5,
  FSLOAD_ALREADY_EXISTS = 6,
  FSLOAD_PERMISSION_DENIED = 7,
  FSLOAD_RESOURCE_EXHAUSTED = 8,
  FSLOAD_FAILED_PRECONDITION = 9,
  FSLOAD_ABORTED = 10,
  FSLOAD_OUT_OF_RANGE = 11,
  FSLOAD_UNIMPLEMENTED = 12,
  FSLOAD_INTERNAL = 13,
  FSLOAD_UNAVAILABLE = 14,
  FSLOAD_DATA_LOSS = 15,
  FSLOAD_UNAUTHENTICATED = 16
} fsload_code;

// Returns "NOT_FOUND", or "UNKNOWN" for a number that is no code. Valid
// forever.
FSLOAD_API const char* fsload_code_name(fsload_code code);

// Why a call failed. Never changes.
//
// Where a function takes an `fsload_error** error`, null means that only the
// code is wanted. Otherwise *error must be null or an error of an earlier call,
// which is freed; afterwards it is the error of this call, and null if that
// succeeded. So one variable, null at first, serves any number of calls, and is
// freed once.
typedef struct fsload_error fsload_error;

// Returns the code that the call returned; OK for null.
FSLOAD_API fsload_code fsload_error_code(const fsload_error* error);

// Returns one sentence: the URI or file first, then what happened, with the
// plugin's own words. "" for null. Valid as long as the error.
FSLOAD_API const char* fsload_error_message(const fsload_error* error);

// Frees the error. Null is ignored.
FSLOAD_API void fsload_error_free(fsload_error* error);

// A list of strings. Never changes.
typedef struct fsload_strings fsload_strings;

// Returns how many there are; 0 for null.
FSLOAD_API size_t fsload_strings_count(const fsload_strings* strings);

// Returns the string at `index`, counted from 0; null beyond the last. Valid as
// long as the list.
FSLOAD_API const char* fsload_strings_get(const fsload_strings* strings,
                                          size_t index);

// Frees a list that the caller owns; one in an fsload_scheme is the report's.
FSLOAD_API void fsload_strings_free(fsload_strings* strings);

// Returns the version of the library that runs: "1.2.3", and as a number,
// 10203. Those of the headers are FSLOAD_VERSION and FSLOAD_VERSION_NUMBER
// (fsload/version.h).
FSLOAD_API const char* fsload_version(void);
FSLOAD_API int fsload_version_number(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // FSLOAD_C_BASE_H_
