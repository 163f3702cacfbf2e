// As in TensorFlow since 2.13: aliases of types defined elsewhere.
#ifndef TENSORFLOW_C_TF_STATUS_H_
#define TENSORFLOW_C_TF_STATUS_H_

#include "tensorflow/c/c_api_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TSL_Status TSL_Status;
typedef enum TSL_Code {
  TSL_OK = 0,
  TSL_CANCELLED = 1,
  TSL_UNKNOWN = 2,
  TSL_NOT_FOUND = 5,
  TSL_FAILED_PRECONDITION = 9,
  TSL_INTERNAL = 13,
  TSL_UNAUTHENTICATED = 16,
} TSL_Code;

typedef TSL_Status TF_Status;
typedef TSL_Code TF_Code;
#define TF_OK TSL_OK
#define TF_CANCELLED TSL_CANCELLED
#define TF_UNKNOWN TSL_UNKNOWN
#define TF_NOT_FOUND TSL_NOT_FOUND
#define TF_FAILED_PRECONDITION TSL_FAILED_PRECONDITION
#define TF_INTERNAL TSL_INTERNAL
#define TF_UNAUTHENTICATED TSL_UNAUTHENTICATED

TF_CAPI_EXPORT extern TF_Status* TF_NewStatus(void);
TF_CAPI_EXPORT extern void TF_DeleteStatus(TF_Status*);
TF_CAPI_EXPORT extern void TF_SetStatus(TF_Status* s, TF_Code code,
                                        const char* msg);
TF_CAPI_EXPORT extern TF_Code TF_GetCode(const TF_Status* s);
TF_CAPI_EXPORT extern const char* TF_Message(const TF_Status* s);

#ifdef __cplusplus
}
#endif

#endif  // TENSORFLOW_C_TF_STATUS_H_
