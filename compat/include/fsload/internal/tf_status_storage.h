// Storage for fsload's own TF_Status, so that a host can keep one on its stack.
//
// Creating a status, setting a short message and destroying it allocate
// nothing. TF_Status itself stays incomplete because a program may also include
// TensorFlow's.
#ifndef FSLOAD_INTERNAL_TF_STATUS_STORAGE_H_
#define FSLOAD_INTERNAL_TF_STATUS_STORAGE_H_

#include <cstddef>
#include <map>
#include <string>

#include "fsload/export.h"
#include "fsload/tf_status.h"

namespace FSLOAD_API fsload {

struct StatusStorage {
  // What does not fit inline. Absent in nearly every status.
  struct Overflow {
    std::string message;
    std::map<std::string, std::string> payloads;
  };

  static constexpr size_t kInlineMessageBytes = 104;  // including its null byte

  StatusStorage() {}  // NOLINT(modernize-use-equals-default): text stays unset
  // Frees the text; after a successful call only checks the code.
  ~StatusStorage() {
    if (code != TF_OK) FreeOverflow();
  }
  StatusStorage(const StatusStorage&) = delete;
  StatusStorage& operator=(const StatusStorage&) = delete;

  // Returns this status as plugins and the functions of fsload/tf_status.h see
  // it.
  TF_Status* get() { return reinterpret_cast<TF_Status*>(this); }
  const TF_Status* get() const {
    return reinterpret_cast<const TF_Status*>(this);
  }

  void FreeOverflow();

  TF_Code code = TF_OK;
  const char* message = nullptr;  // into inline_message or overflow; null: ""
  Overflow* overflow = nullptr;   // owned; only for a status that is not OK
  char inline_message[kInlineMessageBytes];
};

}  // namespace fsload

#endif  // FSLOAD_INTERNAL_TF_STATUS_STORAGE_H_
