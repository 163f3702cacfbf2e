#include "loader/elf_file.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "loader/machine.h"

namespace fsload {
namespace {

// More than any real plugin has; keeps a hostile count from costing minutes.
constexpr uint64_t kMostSymbols = 1 << 24;
constexpr uint64_t kMostVersionNeeds = 1 << 16;
constexpr uint64_t kMostNameBytes = 1 << 16;

}  // namespace

std::optional<ElfFile> ElfFile::Parse(absl::Span<const char> bytes,
                                      Findings& findings) {
  ElfFile file(bytes);
  if (!file.CheckHeader(findings)) return std::nullopt;
  std::string problem;
  if (file.ReadProgramHeaders(problem) && file.ReadDynamicSection(problem) &&
      file.CheckRelocationKinds(problem) && file.ReadStrings(problem) &&
      file.ReadSymbols(problem) && file.ReadSlots(problem) &&
      file.ReadVersionNeeds(problem)) {
    return file;
  }
  findings.Add(RuleId::kWellFormed,
               problem + "; the file is cut off or damaged");
  return std::nullopt;
}

template <typename T>
std::optional<T> ElfFile::Read(uint64_t offset) const {
  if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) {
    return std::nullopt;
  }
  T value;
  std::memcpy(&value, bytes_.data() + offset, sizeof(T));
  return value;
}

bool ElfFile::CheckHeader(Findings& findings) const {
  if (bytes_.size() < SELFMAG ||
      std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0) {
    findings.Add(RuleId::kElf,
                 "wanted an ELF file, found other contents; this is no "
                 "shared object");
    return false;
  }
  const std::optional<Elf64_Ehdr> header = Read<Elf64_Ehdr>(0);
  if (!header.has_value()) {
    findings.Add(RuleId::kWellFormed,
                 fmt::format("wanted an ELF header of {} bytes, found a file "
                             "of {}; the file is cut off or damaged",
                             sizeof(Elf64_Ehdr), bytes_.size()));
    return false;
  }
  if (header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_ident[EI_DATA] != ELFDATA2LSB) {
    findings.Add(
        RuleId::kElfClass,
        fmt::format("wanted class 2 and byte order 1 (64-bit, "
                    "little-endian), found class {} and byte order "
                    "{}; this process cannot run it",
                    header->e_ident[EI_CLASS], header->e_ident[EI_DATA]));
    return false;
  }
  if (header->e_machine != kElfMachine) {
    findings.Add(RuleId::kMachine,
                 fmt::format("wanted machine {} ({}), found {}; this process "
                             "cannot run it",
                             kElfMachine, kElfMachineName, header->e_machine));
    return false;
  }
  if (header->e_type != ET_DYN) {
    findings.Add(RuleId::kSharedObject,
                 fmt::format("wanted a shared object (type {}), found type {}; "
                             "the dynamic linker cannot load it",
                             ET_DYN, header->e_type));
    return false;
  }
  return true;
}

bool ElfFile::ReadProgramHeaders(std::string& problem) {
  const Elf64_Ehdr header = *Read<Elf64_Ehdr>(0);
  if (header.e_phentsize != sizeof(Elf64_Phdr)) {
    problem = fmt::format("wanted program headers of {} bytes, found {}",
                          sizeof(Elf64_Phdr), header.e_phentsize);
    return false;
  }
  uint64_t mapped_end = 0;
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment =
        header.e_phoff > bytes_.size()
            ? std::nullopt
            : Read<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment.has_value()) {
      problem = fmt::format(
          "wanted {} program headers at offset {}, found a file of {} bytes",
          header.e_phnum, header.e_phoff, bytes_.size());
      return false;
    }
    const bool whole = segment->p_offset <= bytes_.size() &&
                       segment->p_filesz <= bytes_.size() - segment->p_offset;
    if (!whole &&
        (segment->p_type == PT_LOAD || segment->p_type == PT_DYNAMIC)) {
      problem = fmt::format(
          "wanted a segment of {} bytes at offset {}, found a file of {} bytes",
          segment->p_filesz, segment->p_offset, bytes_.size());
      return false;
    }
    if (segment->p_type == PT_LOAD &&
        (segment->p_memsz < segment->p_filesz ||
         segment->p_memsz > UINT64_MAX - segment->p_vaddr)) {
      problem = fmt::format(
          "wanted {} bytes of a segment to fit into the {} bytes at {:#x}",
          segment->p_filesz, segment->p_memsz, segment->p_vaddr);
      return false;
    }
    if (segment->p_type == PT_LOAD && segment->p_vaddr < mapped_end) {
      problem = fmt::format(
          "wanted segments in the order of their addresses, found one at {:#x} "
          "too early",
          segment->p_vaddr);
      return false;
    }
    if (segment->p_type == PT_LOAD) {
      mapped_end = segment->p_vaddr + segment->p_memsz;
    }
    segments_.push_back(*segment);
  }
  return true;
}

// As the dynamic linker, which heeds the last such header, and its address
// alone.
bool ElfFile::ReadDynamicSection(std::string& problem) {
  const auto dynamic = std::find_if(
      segments_.rbegin(), segments_.rend(),
      [](const Elf64_Phdr& segment) { return segment.p_type == PT_DYNAMIC; });
  const std::optional<uint64_t> begin =
      dynamic == segments_.rend() ? std::nullopt : FileOffset(dynamic->p_vaddr);
  if (!begin.has_value()) {
    problem = "wanted a dynamic section, found none";
    return false;
  }
  const uint64_t entries = dynamic->p_filesz / sizeof(Elf64_Dyn);
  for (uint64_t i = 0; i < entries; ++i) {
    const uint64_t offset = *begin + i * sizeof(Elf64_Dyn);
    const auto entry = Read<Elf64_Dyn>(offset);
    if (!entry.has_value()) break;
    if (entry->d_tag == DT_NULL) {
      const auto next = Read<Elf64_Dyn>(offset + sizeof(Elf64_Dyn));
      if (i + 1 < entries && next.has_value() && next->d_tag == DT_NULL) {
        spare_entry_ = offset;
      }
      return true;
    }
    dynamic_.push_back(*entry);
  }
  problem = fmt::format(
      "wanted a dynamic section with an end, found {} entries without one",
      dynamic_.size());
  return false;
}

// What the dynamic linker asserts.
bool ElfFile::CheckRelocationKinds(std::string& problem) const {
  struct Kind {
    int64_t table, entry_bytes;
    size_t bytes;
  };
  for (const Kind kind : {Kind{DT_RELA, DT_RELAENT, sizeof(Elf64_Rela)},
                          Kind{DT_RELR, DT_RELRENT, sizeof(Elf64_Relr)}}) {
    const uint64_t bytes = Value(kind.entry_bytes).value_or(0);
    if (!Value(kind.table).has_value() || bytes == kind.bytes) continue;
    problem = fmt::format("wanted relocations of {} bytes, found {}",
                          kind.bytes, bytes);
    return false;
  }
  const uint64_t calls = Value(DT_PLTREL).value_or(DT_RELA);
  if (calls == DT_RELA) return true;
  problem = fmt::format(
      "wanted calls bound by relocations of kind {}, found {}", DT_RELA, calls);
  return false;
}

std::optional<uint64_t> ElfFile::FileOffset(uint64_t address) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz) {
      return address - segment.p_vaddr + segment.p_offset;
    }
  }
  return std::nullopt;
}

// The last entry counts, as for the dynamic linker.
std::optional<uint64_t> ElfFile::Value(int64_t tag) const {
  std::optional<uint64_t> value;
  for (const Elf64_Dyn& entry : dynamic_) {
    if (entry.d_tag == tag) value = entry.d_un.d_val;
  }
  return value;
}

std::optional<uint64_t> ElfFile::OffsetOf(int64_t tag) const {
  const std::optional<uint64_t> address = Value(tag);
  return address.has_value() ? FileOffset(*address) : std::nullopt;
}

std::optional<ElfFile::Text> ElfFile::String(uint64_t offset) const {
  if (offset >= strings_bytes_) return std::nullopt;
  const char* begin = bytes_.data() + strings_offset_ + offset;
  const size_t most = std::min(strings_bytes_ - offset, kMostNameBytes);
  const size_t length = strnlen(begin, most);
  if (length == most) return std::nullopt;
  return Text{std::string_view(begin, length), strings_offset_ + offset};
}

bool ElfFile::ReadStrings(std::string& problem) {
  const std::optional<uint64_t> offset = OffsetOf(DT_STRTAB);
  const std::optional<uint64_t> bytes = Value(DT_STRSZ);
  if (!offset.has_value() || !bytes.has_value() ||
      *bytes > bytes_.size() - *offset) {
    problem = "wanted a string table inside the file, found none";
    return false;
  }
  strings_offset_ = *offset;
  strings_bytes_ = *bytes;
  for (const Elf64_Dyn& entry : dynamic_) {
    const bool path = entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH;
    if (entry.d_tag != DT_NEEDED && !path) continue;
    const std::optional<Text> text = String(entry.d_un.d_val);
    if (!text.has_value()) {
      problem = fmt::format(
          "wanted a library's name at offset {} of the string table, found a "
          "table of {} bytes",
          entry.d_un.d_val, strings_bytes_);
      return false;
    }
    (path ? search_paths_ : needed_).push_back(*text);
  }
  return true;
}

// The count is not written down in a GNU hash table: it ends with the last
// chain.
std::optional<uint64_t> ElfFile::CountByGnuHash(uint64_t table) const {
  const auto buckets = Read<uint32_t>(table);
  const auto first = Read<uint32_t>(table + 4);
  const auto bloom_words = Read<uint32_t>(table + 8);
  if (!buckets || !first || !bloom_words) return std::nullopt;
  const uint64_t bucket_table = table + 16 + 8ull * *bloom_words;
  const uint64_t chains = bucket_table + 4ull * *buckets;
  uint64_t last = 0;
  for (uint64_t i = 0; i < *buckets; ++i) {
    const auto head = Read<uint32_t>(bucket_table + 4 * i);
    if (!head) return std::nullopt;
    last = std::max<uint64_t>(last, *head);
  }
  if (last < *first) return *first;
  for (;; ++last) {
    const auto hash = Read<uint32_t>(chains + 4 * (last - *first));
    if (!hash) return std::nullopt;
    if ((*hash & 1) != 0) return last + 1;
  }
}

std::optional<uint64_t> ElfFile::CountSymbols() const {
  if (const auto hash = OffsetOf(DT_HASH)) {
    const auto chains = Read<uint32_t>(*hash + 4);
    if (!chains) return std::nullopt;
    return *chains;
  }
  if (const auto hash = OffsetOf(DT_GNU_HASH)) return CountByGnuHash(*hash);
  return std::nullopt;
}

bool ElfFile::ReadSymbols(std::string& problem) {
  const std::optional<uint64_t> table = OffsetOf(DT_SYMTAB);
  const std::optional<uint64_t> count = CountSymbols();
  if (!table.has_value() || !count.has_value() || *count > kMostSymbols) {
    problem = "wanted a symbol table and its hash table, found none that fit";
    return false;
  }
  for (uint64_t i = 0; i < *count; ++i) {
    const auto symbol = Read<Elf64_Sym>(*table + i * sizeof(Elf64_Sym));
    const auto name = symbol ? String(symbol->st_name) : std::nullopt;
    if (!name.has_value()) {
      problem = fmt::format(
          "wanted {} symbols, found number {} outside the file", *count, i);
      return false;
    }
    const int binding = ELF64_ST_BIND(symbol->st_info);
    const int visibility = ELF64_ST_VISIBILITY(symbol->st_other);
    const int type = ELF64_ST_TYPE(symbol->st_info);
    symbols_.push_back({*name, symbol->st_shndx != SHN_UNDEF,
                        binding != STB_LOCAL && (visibility == STV_DEFAULT ||
                                                 visibility == STV_PROTECTED),
                        type == STT_FUNC || type == STT_GNU_IFUNC});
  }
  return true;
}

bool ElfFile::ReadSlots(std::string& problem) {
  struct TableTags {
    int64_t address, bytes;
  };
  for (const TableTags tags :
       {TableTags{DT_JMPREL, DT_PLTRELSZ}, TableTags{DT_RELA, DT_RELASZ}}) {
    if (!Value(tags.address).has_value()) continue;
    const std::optional<uint64_t> table = OffsetOf(tags.address);
    const uint64_t count = Value(tags.bytes).value_or(0) / sizeof(Elf64_Rela);
    for (uint64_t i = 0; i < count; ++i) {
      const auto relocation =
          table ? Read<Elf64_Rela>(*table + i * sizeof(Elf64_Rela))
                : std::nullopt;
      if (!relocation.has_value()) {
        problem = fmt::format(
            "wanted {} relocations, found number {} outside the file", count,
            i);
        return false;
      }
      const uint64_t symbol = ELF64_R_SYM(relocation->r_info);
      if (symbol == 0 || symbol >= symbols_.size() ||
          !StoresSymbolAddress(ELF64_R_TYPE(relocation->r_info))) {
        continue;
      }
      slots_.push_back({symbols_[symbol].name.value, relocation->r_offset});
    }
  }
  return true;
}

// The list ends where it says so; like the dynamic linker, no heed is paid to
// DT_VERNEEDNUM.
bool ElfFile::ReadVersionNeeds(std::string& problem) {
  if (!Value(DT_VERNEED).has_value()) return true;
  std::optional<uint64_t> offset = OffsetOf(DT_VERNEED);
  for (uint64_t i = 0; i < kMostVersionNeeds; ++i) {
    const auto need = offset ? Read<Elf64_Verneed>(*offset) : std::nullopt;
    const auto library = need ? String(need->vn_file) : std::nullopt;
    if (!library.has_value()) {
      problem = fmt::format(
          "wanted version needs, found number {} outside the file", i);
      return false;
    }
    versioned_libraries_.push_back(library->value);
    if (need->vn_next == 0) return true;
    *offset += need->vn_next;
  }
  problem = fmt::format("wanted at most {} version needs, found more",
                        kMostVersionNeeds);
  return false;
}

const ElfFile::Symbol* ElfFile::FindExported(std::string_view name) const {
  for (const Symbol& symbol : symbols_) {
    if (symbol.defined && symbol.visible && symbol.name.value == name) {
      return &symbol;
    }
  }
  return nullptr;
}

bool ElfFile::Imports(std::string_view name) const {
  return std::any_of(symbols_.begin(), symbols_.end(),
                     [name](const Symbol& symbol) {
                       return !symbol.defined && symbol.name.value == name;
                     });
}

bool ElfFile::IsShared(const Text& text) const {
  const size_t end = text.file_offset + text.value.size();
  const auto reaches_in = [&](const Text& other) {
    const size_t other_end = other.file_offset + other.value.size();
    return &other != &text && other_end == end && !other.value.empty();
  };
  return std::any_of(needed_.begin(), needed_.end(), reaches_in) ||
         std::any_of(search_paths_.begin(), search_paths_.end(), reaches_in) ||
         std::any_of(
             symbols_.begin(), symbols_.end(),
             [&](const Symbol& symbol) { return reaches_in(symbol.name); });
}

}  // namespace fsload
