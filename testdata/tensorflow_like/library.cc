// The part of libtensorflow whose names fsload shares. Recognizes a status from
// anywhere else, as it is not one of its own.
#include <cstdint>
#include <string>

#include "tensorflow/c/tf_status.h"

namespace {

constexpr uint64_t kMark = 0x7e4507f10e51a7u;

int g_calls = 0;

}  // namespace

struct TF_Status {
  uint64_t mark = kMark;
  TF_Code code = TF_OK;
  std::string message;
};

extern "C" {

TF_CAPI_EXPORT int CallsOfTensorFlow() { return g_calls; }

TF_CAPI_EXPORT bool IsOfTensorFlow(const void* status) {
  return *static_cast<const uint64_t*>(status) == kMark;
}

TF_Status* TF_NewStatus() {
  ++g_calls;
  return new TF_Status;
}

void TF_DeleteStatus(TF_Status* status) {
  ++g_calls;
  delete status;
}

void TF_SetStatus(TF_Status* status, TF_Code code, const char* message) {
  ++g_calls;
  status->code = code;
  status->message = message;
}

TF_Code TF_GetCode(const TF_Status* status) {
  ++g_calls;
  return status->code;
}

const char* TF_Message(const TF_Status* status) {
  ++g_calls;
  return status->message.c_str();
}

}  // extern "C"
