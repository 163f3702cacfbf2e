// Structs that say how large they are, so that they can grow.
#pragma once

#include <cstddef>

#include "absl/status/status.h"

namespace fsload {

// Copies the struct `type` at `given`, which begins with its size, to the
// `known` bytes at `copy`, which are 0 before; nothing if `given` is null.
// INVALID_ARGUMENT if it is smaller than `least`, or larger than is known with
// bytes there that are not 0.
absl::Status CopySized(const char* type, const void* given, size_t least,
                       size_t known, void* copy);

// Does the same to `copy`, as which `given` is declared.
template <typename T>
absl::Status CopySized(const char* type, const T* given, size_t least,
                       T& copy) {
  return CopySized(type, given, least, sizeof(T), &copy);
}

// Returns INVALID_ARGUMENT if the struct `type` at `given`, which begins with
// its size, is smaller than `least`.
absl::Status CheckSize(const char* type, const void* given, size_t least);

// Fills in the struct at `target`, whose size its caller has set and CheckSize
// has accepted, from the `known` bytes at `filled`; what is beyond them becomes
// 0.
void FillSized(const void* filled, size_t known, void* target);

}  // namespace fsload
