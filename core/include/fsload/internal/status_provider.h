// The library that implements TF_Status for a plugin.
//
// Normally that is fsload. A plugin may instead be bound to a TensorFlow that
// the program is linked with, or bring its own implementation: its statuses
// then belong to that library, and only that library's functions may touch
// them.
#ifndef FSLOAD_INTERNAL_STATUS_PROVIDER_H_
#define FSLOAD_INTERNAL_STATUS_PROVIDER_H_

#include "fsload/export.h"
#include "fsload/tf_status.h"

namespace FSLOAD_API fsload {

// All five functions, or none: none means fsload's own, whose statuses live on
// the stack.
struct StatusProvider {
  TF_Status* (*new_status)() = nullptr;
  void (*delete_status)(TF_Status*) = nullptr;
  void (*set_status)(TF_Status*, TF_Code, const char*) = nullptr;
  TF_Code (*get_code)(const TF_Status*) = nullptr;
  const char* (*message)(const TF_Status*) = nullptr;

  bool is_own() const { return new_status == nullptr; }
};

}  // namespace fsload

#endif  // FSLOAD_INTERNAL_STATUS_PROVIDER_H_
