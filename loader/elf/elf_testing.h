// Plugins read as ELF files, and changed, for tests.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/elf/elf_file.h"

namespace fsload {

// Returns a plugin that only has what it must.
std::string Minimal();

// Returns the header, or whatever else is at `offset`, as a mutable T.
template <typename T>
T& At(std::string& bytes, size_t offset) {
  return *reinterpret_cast<T*>(&bytes.at(offset));
}

Elf64_Ehdr& Header(std::string& bytes);

// Returns the last program header of `type`.
Elf64_Phdr& Segment(std::string& bytes, uint32_t type);

// Returns the entry with `tag` in the dynamic section, after skipping `skip` of
// them.
Elf64_Dyn& DynamicEntry(std::string& bytes, int64_t tag, int skip = 0);

// Returns a shared object made one for another processor that fsload knows, as
// far as its header and relocations go.
std::string ForOther(std::string bytes);

// The result of reading `bytes`, which must stay within their bounds: they are
// copied into memory that ends where they do.
struct Parsed {
  std::unique_ptr<char[]> bytes;
  std::optional<ElfFile> file;
  std::vector<std::string> findings;
};

Parsed Parse(std::string_view bytes);

}  // namespace fsload
