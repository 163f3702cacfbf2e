// The bytes of fsload's own TF_Status, for a host that keeps one on its stack.
//
// Making, filling with a short message and dropping a status allocates nothing.
// Plugins see TF_Status only as an opaque pointer.
#ifndef FSLOAD_COMPAT_TF_STATUS_STORAGE_H_
#define FSLOAD_COMPAT_TF_STATUS_STORAGE_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "compat/tf_status.h"

struct TF_Status {
  // What does not fit inline. Absent in nearly every status.
  struct Overflow {
    std::string message;
    std::map<std::string, std::string> payloads;
  };

  // Out of line: the end of every call would have it in it.
  struct FreeOverflow {
    void operator()(Overflow* overflow) const;
  };

  static constexpr size_t kInlineMessageBytes = 104;  // its null byte included

  TF_Status() {}  // NOLINT(modernize-use-equals-default): keeps the text unset
  TF_Status(const TF_Status&) = delete;
  TF_Status& operator=(const TF_Status&) = delete;

  TF_Code code = TF_OK;
  const char* message = "";  // leads into inline_message, overflow or a literal
  std::unique_ptr<Overflow, FreeOverflow> overflow;
  char inline_message[kInlineMessageBytes];
};

#endif  // FSLOAD_COMPAT_TF_STATUS_STORAGE_H_
