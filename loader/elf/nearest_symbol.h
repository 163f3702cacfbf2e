// Finds the function at an address in an ELF file's full symbol table.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/types/span.h"

namespace fsload {

struct NearestSymbol {
  std::string_view name;  // as the linker knows it; empty: there is none
  uint64_t offset = 0;    // of the address, from its start
  bool inside = false;    // false: past its end, or its end is unknown
};

// Returns the last function of the file with these bytes that starts at or
// before `address`, relative to the file's base. Uses .symtab, which debuggers
// read, and .dynsym in stripped files. The bytes may be hostile. Allocates
// nothing, for use in signal handlers.
NearestSymbol FindNearestSymbol(absl::Span<const char> file, uint64_t address);

}  // namespace fsload
