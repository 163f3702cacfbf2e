// Configuration options (L97-L117) as fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/tables/op_tables.h"
#include "fsload/filesystem_interface.h"
#include "loader/isolation/fields.h"

namespace fsload {

// Writes an option as it is: what the interface does not allow, too, so that
// whoever reads it finds the same mistake.
void PutOption(const TF_Filesystem_Option& option, FieldWriter& fields);

// Reads one into `option`, in memory of `memory`, all of it zero before. What
// cannot be read, or has no memory, stays null.
void TakeOption(FieldReader& fields, const MemoryHooks& memory,
                TF_Filesystem_Option& option);

// Returns a copy in memory of `memory`, null-terminated; null without memory.
char* CopyText(const MemoryHooks& memory, std::string_view text);

// Reads what FieldWriter::TextOrNull wrote into such a copy.
char* TakeTextOrNull(FieldReader& fields, const MemoryHooks& memory);

// Returns `count` objects that are all zero in memory of `memory`; null without
// memory.
template <typename Object>
Object* AllocateZeroed(const MemoryHooks& memory, size_t count) {
  if (count > SIZE_MAX / sizeof(Object)) return nullptr;
  void* const allocated = memory.allocate(count * sizeof(Object));
  if (allocated != nullptr) std::memset(allocated, 0, count * sizeof(Object));
  return static_cast<Object*>(allocated);
}

}  // namespace fsload
