#include "compat/tf_status.h"

#include <cstring>
#include <memory>
#include <string>

#include "compat/io_error.h"
#include "compat/tf_status_storage.h"

namespace {

TF_Status::Overflow& OverflowOf(TF_Status* status) {
  if (status->overflow == nullptr) {
    status->overflow.reset(new TF_Status::Overflow);
  }
  return *status->overflow;
}

}  // namespace

void TF_Status::FreeOverflow::operator()(Overflow* overflow) const {
  delete overflow;
}

TF_Status* TF_NewStatus() { return new TF_Status; }

void TF_DeleteStatus(TF_Status* status) { delete status; }

void TF_SetStatus(TF_Status* status, TF_Code code, const char* message) {
  status->code = code;
  if (code == TF_OK || message == nullptr || *message == '\0') {
    status->message = "";
    status->overflow.reset();
    return;
  }
  const size_t bytes = std::strlen(message) + 1;
  if (bytes <= TF_Status::kInlineMessageBytes) {
    // The message may be this status's own.
    std::memmove(status->inline_message, message, bytes);
    status->message = status->inline_message;
    status->overflow.reset();
    return;
  }
  auto overflow = std::make_unique<TF_Status::Overflow>();
  overflow->message = message;
  status->overflow.reset(overflow.release());
  status->message = status->overflow->message.c_str();
}

void TF_SetPayload(TF_Status* status, const char* key, const char* value) {
  if (status->code == TF_OK || key == nullptr || value == nullptr) return;
  OverflowOf(status).payloads[key] = value;
}

void TF_ForEachPayload(const TF_Status* status, TF_PayloadVisitor visitor,
                       void* capture) {
  if (status->overflow == nullptr) return;
  for (const auto& [key, value] : status->overflow->payloads) {
    visitor(key.c_str(), value.c_str(), capture);
  }
}

void TF_SetStatusFromIOError(TF_Status* status, int error_code,
                             const char* context) {
  if (error_code == 0) return TF_SetStatus(status, TF_OK, nullptr);
  const fsload::IoError error = fsload::DescribeIoError(error_code);
  std::string message = context == nullptr ? "" : context;
  if (!message.empty()) message += ": ";
  message += error.text;
  TF_SetStatus(status, error.code, message.c_str());
}

TF_Code TF_GetCode(const TF_Status* status) { return status->code; }

const char* TF_Message(const TF_Status* status) { return status->message; }
