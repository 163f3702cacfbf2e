#include "loader/linking/imports_library.h"

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loader/elf/elf_versions.h"
#include "loader/machine/machine.h"

namespace fsload {
namespace {

// The largest page of any system: segments are this far apart in memory, but
// not in the file, whose pages are mapped twice where two segments meet.
constexpr size_t kMaxPage = 65536;

// Bytes that are appended to; remembers where each part begins.
class Image {
 public:
  // Appends `bytes`, aligned, and returns their offset.
  size_t Append(std::string_view bytes, size_t alignment) {
    bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment);
    const size_t offset = bytes_.size();
    bytes_.append(bytes);
    return offset;
  }

  template <typename T>
  size_t AppendTable(const std::vector<T>& table, size_t alignment) {
    return Append(
        {reinterpret_cast<const char*>(table.data()), table.size() * sizeof(T)},
        alignment);
  }

  template <typename T>
  void Put(size_t offset, const T& value) {
    std::memcpy(bytes_.data() + offset, &value, sizeof(T));
  }

  size_t size() const { return bytes_.size(); }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// A string table; its first string is empty.
class Strings {
 public:
  uint32_t Add(std::string_view text) {
    const uint32_t offset = static_cast<uint32_t>(bytes_.size());
    bytes_.append(text);
    bytes_.push_back('\0');
    return offset;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_ = std::string(1, '\0');
};

// DT_HASH for the symbols 1, 2, ... with these names: one bucket per symbol.
std::vector<uint32_t> HashTable(
    const std::vector<ImportedFunction>& functions) {
  const uint32_t symbols = static_cast<uint32_t>(functions.size() + 1);
  std::vector<uint32_t> table(2 + 2 * symbols);
  table[0] = symbols;  // buckets
  table[1] = symbols;  // chains
  uint32_t* const buckets = &table[2];
  uint32_t* const chains = &table[2 + symbols];
  for (uint32_t i = 1; i < symbols; ++i) {
    uint32_t& bucket = buckets[SysvHash(functions[i - 1].name) % symbols];
    chains[i] = bucket;
    bucket = i;
  }
  return table;
}

void AppendFunction(const ImportedFunction& function, std::string& code) {
  if (function.argument == nullptr) {
    ThisMachine().append_trampoline(function.address, code);
  } else {
    ThisMachine().append_stub(function.address, function.argument, code);
  }
}

Elf64_Ehdr Header(size_t segments) {
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_DYN;
  header.e_machine = ThisMachine().elf;
  header.e_version = EV_CURRENT;
  header.e_phoff = sizeof(Elf64_Ehdr);
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = static_cast<uint16_t>(segments);
  header.e_shentsize = sizeof(Elf64_Shdr);
  return header;
}

// The bytes from `offset` to `end`, mapped so far behind the same offset.
Elf64_Phdr Segment(uint32_t type, uint32_t flags, size_t offset, size_t end,
                   size_t alignment, size_t distance = 0) {
  const size_t bytes = end - offset;
  const size_t address = offset + distance;
  return {type, flags, offset, address, address, bytes, bytes, alignment};
}

// Returns the bytes of a shared object that exports `functions`; `named` are
// its dynamic entries whose values are texts.
std::string BuildLibrary(
    const std::vector<std::pair<Elf64_Sxword, std::string>>& named,
    const std::vector<ImportedFunction>& functions) {
  constexpr size_t kSegments = 4;
  Image image;
  image.Append(
      std::string(sizeof(Elf64_Ehdr) + kSegments * sizeof(Elf64_Phdr), '\0'),
      1);

  std::string code;
  Strings strings;
  std::vector<Elf64_Sym> symbols(1);
  for (const ImportedFunction& function : functions) {
    Elf64_Sym symbol = {};
    symbol.st_name = strings.Add(function.name);
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol.st_shndx = 1;  // any section: there are none
    symbol.st_value = code.size();
    AppendFunction(function, code);
    symbol.st_size = code.size() - symbol.st_value;
    symbols.push_back(symbol);
  }
  const size_t code_offset = image.Append(code, 64);
  for (size_t i = 1; i < symbols.size(); ++i) {
    symbols[i].st_value += code_offset;
  }
  std::vector<Elf64_Dyn> dynamic;
  for (const auto& [tag, text] : named) {
    dynamic.push_back({tag, {strings.Add(text)}});
  }
  const size_t symbols_offset = image.AppendTable(symbols, alignof(Elf64_Sym));
  const size_t hash_offset =
      image.AppendTable(HashTable(functions), alignof(Elf64_Sym));
  const size_t strings_offset = image.Append(strings.bytes(), 1);
  const size_t text_end = image.size();

  // The dynamic linker writes to its copy of this table.
  dynamic.insert(dynamic.end(), {
                                    {DT_HASH, {hash_offset}},
                                    {DT_SYMTAB, {symbols_offset}},
                                    {DT_SYMENT, {sizeof(Elf64_Sym)}},
                                    {DT_STRTAB, {strings_offset}},
                                    {DT_STRSZ, {strings.bytes().size()}},
                                    {DT_NULL, {0}},
                                });
  const size_t dynamic_offset = image.AppendTable(dynamic, alignof(Elf64_Dyn));
  const size_t end = image.size();

  image.Put(0, Header(kSegments));
  const Elf64_Word code_flag = functions.empty() ? 0 : PF_X;
  const Elf64_Phdr segments[kSegments] = {
      Segment(PT_LOAD, PF_R | code_flag, 0, text_end, kMaxPage),
      Segment(PT_LOAD, PF_R | PF_W, dynamic_offset, end, kMaxPage, kMaxPage),
      Segment(PT_DYNAMIC, PF_R | PF_W, dynamic_offset, end, 8, kMaxPage),
      Segment(PT_GNU_STACK, PF_R | PF_W, 0, 0, 16),
  };
  image.Put(sizeof(Elf64_Ehdr), segments);
  return image.Take();
}

}  // namespace

std::string BuildImportsLibrary(
    std::string_view soname, const std::vector<ImportedFunction>& functions) {
  return BuildLibrary({{DT_SONAME, std::string(soname)}}, functions);
}

std::string BuildUmbrellaLibrary(const std::vector<std::string>& libraries,
                                 std::string_view folder) {
  std::vector<std::pair<Elf64_Sxword, std::string>> named;
  for (const std::string& library : libraries) {
    named.emplace_back(DT_NEEDED, library);
  }
  if (!folder.empty()) named.emplace_back(DT_RUNPATH, folder);
  return BuildLibrary(named, {});
}

}  // namespace fsload
