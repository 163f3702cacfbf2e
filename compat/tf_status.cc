#include "fsload/tf_status.h"

#if defined(TENSORFLOW_C_TF_STATUS_H_) && \
    !defined(FSLOAD_TENSORFLOW_C_TF_STATUS_H_)
#error "fsload itself is compiled without TensorFlow's headers in its way"
#endif

#include <cstring>
#include <string>

#include "compat/io_error.h"
#include "fsload/internal/tf_status_storage.h"

namespace fsload {
namespace {

StatusStorage& StorageOf(TF_Status* status) {
  return *reinterpret_cast<StatusStorage*>(status);
}

const StatusStorage& StorageOf(const TF_Status* status) {
  return *reinterpret_cast<const StatusStorage*>(status);
}

}  // namespace

void StatusStorage::FreeOverflow() {
  delete overflow;
  overflow = nullptr;
}

}  // namespace fsload

using ::fsload::StatusStorage;
using ::fsload::StorageOf;

TF_Status* TF_NewStatus() { return (new StatusStorage)->get(); }

void TF_DeleteStatus(TF_Status* status) {
  if (status != nullptr) delete &StorageOf(status);
}

void TF_SetStatus(TF_Status* status, TF_Code code, const char* message) {
  StatusStorage& storage = StorageOf(status);
  storage.code = code;
  if (code == TF_OK || message == nullptr || *message == '\0') {
    storage.message = nullptr;
    storage.FreeOverflow();
    return;
  }
  const size_t bytes = std::strlen(message) + 1;
  // The message may be this status's own.
  if (bytes <= StatusStorage::kInlineMessageBytes) {
    std::memmove(storage.inline_message, message, bytes);
    storage.message = storage.inline_message;
    storage.FreeOverflow();
    return;
  }
  auto* const overflow = new StatusStorage::Overflow{message, {}};
  storage.FreeOverflow();
  storage.overflow = overflow;
  storage.message = overflow->message.c_str();
}

void TF_SetPayload(TF_Status* status, const char* key, const char* value) {
  StatusStorage& storage = StorageOf(status);
  if (storage.code == TF_OK || key == nullptr || value == nullptr) return;
  if (storage.overflow == nullptr) {
    storage.overflow = new StatusStorage::Overflow;
  }
  storage.overflow->payloads[key] = value;
}

void TF_ForEachPayload(const TF_Status* status, TF_PayloadVisitor visitor,
                       void* capture) {
  const StatusStorage& storage = StorageOf(status);
  if (storage.overflow == nullptr) return;
  for (const auto& [key, value] : storage.overflow->payloads) {
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

TF_Code TF_GetCode(const TF_Status* status) { return StorageOf(status).code; }

const char* TF_Message(const TF_Status* status) {
  const char* const message = StorageOf(status).message;
  return message == nullptr ? "" : message;
}
