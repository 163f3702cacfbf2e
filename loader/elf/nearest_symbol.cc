#include "loader/elf/nearest_symbol.h"

#include <elf.h>

#include <cstring>
#include <string_view>

namespace fsload {
namespace {

// The T at `offset`; false if the file ends before that.
template <typename T>
bool ReadAt(absl::Span<const char> file, uint64_t offset, T& value) {
  if (offset > file.size() || sizeof(T) > file.size() - offset) return false;
  std::memcpy(&value, file.data() + offset, sizeof(T));
  return true;
}

bool ReadSection(absl::Span<const char> file, const Elf64_Ehdr& header,
                 uint32_t index, Elf64_Shdr& section) {
  return index < header.e_shnum && header.e_shoff <= file.size() &&
         ReadAt(file, header.e_shoff + index * sizeof(Elf64_Shdr), section);
}

// The string at `offset` of a string table; empty unless it is all inside.
std::string_view StringAt(absl::Span<const char> file,
                          const Elf64_Shdr& strings, uint32_t offset) {
  if (offset >= strings.sh_size || strings.sh_offset > file.size() ||
      strings.sh_size > file.size() - strings.sh_offset) {
    return "";
  }
  const char* const text = file.data() + strings.sh_offset + offset;
  return {text, strnlen(text, strings.sh_size - offset)};
}

NearestSymbol FindIn(absl::Span<const char> file, const Elf64_Shdr& table,
                     const Elf64_Shdr& strings, uint64_t address) {
  NearestSymbol nearest;
  for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size;
       at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    if (table.sh_offset > file.size() ||
        !ReadAt(file, table.sh_offset + at, symbol)) {
      break;
    }
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
        symbol.st_shndx == SHN_UNDEF || symbol.st_value > address) {
      continue;
    }
    const uint64_t offset = address - symbol.st_value;
    if (!nearest.name.empty() && offset >= nearest.offset) continue;
    nearest = {StringAt(file, strings, symbol.st_name), offset,
               offset < symbol.st_size};
  }
  return nearest;
}

}  // namespace

NearestSymbol FindNearestSymbol(absl::Span<const char> file, uint64_t address) {
  Elf64_Ehdr header;
  if (!ReadAt(file, 0, header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_shentsize != sizeof(Elf64_Shdr)) {
    return {};
  }
  for (const uint32_t type : {SHT_SYMTAB, SHT_DYNSYM}) {
    for (uint32_t i = 0; i < header.e_shnum; ++i) {
      Elf64_Shdr table;
      Elf64_Shdr strings;
      if (!ReadSection(file, header, i, table)) break;
      if (table.sh_type != type ||
          !ReadSection(file, header, table.sh_link, strings)) {
        continue;
      }
      return FindIn(file, table, strings, address);
    }
  }
  return {};
}

}  // namespace fsload
