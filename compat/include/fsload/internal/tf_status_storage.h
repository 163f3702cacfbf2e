// The bytes of fsload's own TF_Status, for a host that keeps one on its stack.
//
// Making, filling with a short message and dropping a status allocates nothing.
// TF_Status itself stays incomplete: a program may have TensorFlow's beside it.
#ifndef FSLOAD_INTERNAL_TF_STATUS_STORAGE_H_
#define FSLOAD_INTERNAL_TF_STATUS_STORAGE_H_

#include <cstddef>
#include <map>
#include <string>

#include "fsload/tf_status.h"

namespace fsload {

struct StatusStorage {
  // What does not fit inline. Absent in nearly every status.
  struct Overflow {
    std::string message;
    std::map<std::string, std::string> payloads;
  };

  static constexpr size_t kInlineMessageBytes = 104;  // its null byte included

  StatusStorage() {}  // NOLINT(modernize-use-equals-default): text stays unset
  // At the end of a call that went well, no more than a look at the code.
  ~StatusStorage() {
    if (code != TF_OK) FreeOverflow();
  }
  StatusStorage(const StatusStorage&) = delete;
  StatusStorage& operator=(const StatusStorage&) = delete;

  // This status, as plugins and the functions of fsload/tf_status.h know it.
  TF_Status* get() { return reinterpret_cast<TF_Status*>(this); }
  const TF_Status* get() const {
    return reinterpret_cast<const TF_Status*>(this);
  }

  void FreeOverflow();

  TF_Code code = TF_OK;
  const char* message = nullptr;  // into inline_message or overflow; null: ""
  Overflow* overflow = nullptr;   // owned; only of a status that is not OK
  char inline_message[kInlineMessageBytes];
};

}  // namespace fsload

#endif  // FSLOAD_INTERNAL_TF_STATUS_STORAGE_H_
