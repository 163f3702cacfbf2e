#include "loader/elf/elf_file.h"

#include <elf.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "loader/machine/machine.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// More than any real plugin has; stops a hostile count from taking minutes.
constexpr uint64_t kMaxSymbols = 1 << 23;
constexpr uint64_t kMaxRelocations = 1 << 24;

// What the dynamic linker accepts as a definition.
bool IsCodeOrData(const Elf64_Sym& symbol) {
  switch (ELF64_ST_TYPE(symbol.st_info)) {
    case STT_TLS:
      return true;
    case STT_NOTYPE:
    case STT_OBJECT:
    case STT_FUNC:
    case STT_COMMON:
    case STT_GNU_IFUNC:
      return symbol.st_value != 0 || symbol.st_shndx == SHN_ABS;
    default:
      return false;
  }
}

}  // namespace

std::optional<ElfFile> ElfFile::Parse(absl::Span<const char> bytes,
                                      Findings& findings, FileBytes* source,
                                      Machines machines) {
  std::optional<ElfImage> image =
      ElfImage::Parse(bytes, source, findings, machines);
  if (!image.has_value()) return std::nullopt;
  ElfFile file(*std::move(image));
  if (!file.ReadLibraryNames(findings) || !file.ReadRelocations(findings)) {
    return std::nullopt;
  }
  std::optional<ElfVersions> versions =
      ElfVersions::Read(file.image_, findings);
  if (!versions.has_value()) return std::nullopt;
  file.versions_ = *std::move(versions);
  if (!file.ReadSymbols(findings)) return std::nullopt;
  file.NameSlots();
  return file;
}

bool ElfFile::ReadLibraryNames(Findings& findings) {
  std::vector<Text> own_names;  // the dynamic linker reads the name
  const auto list_of = [&](int64_t tag) -> std::vector<Text>* {
    switch (tag) {
      case DT_NEEDED:
        return &needed_;
      case DT_RUNPATH:
      case DT_RPATH:
        return &search_paths_;
      case DT_FILTER:
        return &filters_;
      case DT_AUXILIARY:
        return &auxiliaries_;
      case DT_SONAME:
        return &own_names;
      default:
        return nullptr;
    }
  };
  for (const Elf64_Dyn& entry : image_.dynamic()) {
    std::vector<Text>* const list = list_of(entry.d_tag);
    if (list == nullptr) continue;
    const std::optional<Text> text = image_.String(entry.d_un.d_val);
    if (!text.has_value()) {
      return AddDamaged(
          Format(
              "a library's name is at offset {} of a string table of {} bytes",
              entry.d_un.d_val, image_.strings_bytes()),
          findings);
    }
    list->push_back(*text);
  }
  return true;
}

std::optional<std::string_view> ElfFile::StringOf(int64_t tag) const {
  const std::optional<uint64_t> offset = image_.Value(tag);
  const auto text = offset ? image_.String(*offset) : std::nullopt;
  if (!text.has_value()) return std::nullopt;
  return text->value;
}

bool ElfFile::ReadRelocations(Findings& findings) {
  const Machine& machine = image_.machine();
  struct TableTags {
    int64_t address, bytes;
  };
  for (const TableTags tags :
       {TableTags{DT_JMPREL, DT_PLTRELSZ}, TableTags{DT_RELA, DT_RELASZ}}) {
    if (!image_.Value(tags.address).has_value()) continue;
    const std::optional<uint64_t> table = image_.OffsetOf(tags.address);
    const uint64_t count =
        image_.Value(tags.bytes).value_or(0) / sizeof(Elf64_Rela);
    // The dynamic linker does not compare this with the table's size.
    const uint64_t first_are_relative =
        tags.address == DT_RELA ? image_.Value(DT_RELACOUNT).value_or(0) : 0;
    for (uint64_t i = 0; i < count; ++i) {
      if (i == kMaxRelocations) {
        findings.Add(RuleId::kWithinLimits,
                     Format("there are {} relocations; no real plugin has that "
                            "many",
                            count));
        return false;
      }
      const auto relocation =
          table ? image_.ReadElement<Elf64_Rela>(*table, i) : std::nullopt;
      if (!relocation.has_value()) {
        return AddDamaged(
            Format("of {} relocations, number {} is outside the file", count,
                   i),
            findings);
      }
      const uint64_t symbol = ELF64_R_SYM(relocation->r_info);
      const uint32_t type = ELF64_R_TYPE(relocation->r_info);
      if (!machine.IsKnownRelocation(type)) {
        return AddDamaged(
            Format("relocation {} is of kind {}, which the dynamic linker "
                   "of {} does not know",
                   i, type, machine.name),
            findings);
      }
      if (i < first_are_relative && type != machine.relative) {
        return AddDamaged(
            Format("relocation {} is of kind {}, but the first {} are said to "
                   "be relative (DT_RELACOUNT)",
                   i, type, first_are_relative),
            findings);
      }
      // One of kind 0 changes nothing.
      if (type != 0 && !image_.IsMapped(relocation->r_offset, 1)) {
        return AddDamaged(
            Format("relocation {} is for {:#x}, which is in no segment that "
                   "is loaded",
                   i, relocation->r_offset),
            findings);
      }
      uses_static_tls_ |= type == machine.static_tls;
      if (symbol == 0) continue;
      references_.push_back({symbol, machine.StoresSymbolAddress(type),
                             type == machine.call_slot, relocation->r_offset});
    }
    if (first_are_relative > count) {
      return AddDamaged(
          Format("of {} relocations, the first {} are said to be relative "
                 "(DT_RELACOUNT)",
                 count, first_are_relative),
          findings);
    }
  }
  return true;
}

// A GNU hash table does not store the count: it ends with the last chain.
std::optional<uint64_t> ElfFile::CountByGnuHash(uint64_t table) const {
  const auto buckets = image_.Read<uint32_t>(table);
  const auto first = image_.Read<uint32_t>(table + 4);
  const auto bloom_words = image_.Read<uint32_t>(table + 8);
  if (!buckets || !first || !bloom_words || *buckets > kMaxSymbols) {
    return std::nullopt;
  }
  // The dynamic linker ends the process over other numbers.
  const bool is_power_of_two =
      *bloom_words != 0 && (*bloom_words & (*bloom_words - 1)) == 0;
  if (!is_power_of_two) return std::nullopt;
  const uint64_t bucket_table = table + 16 + 8ull * *bloom_words;
  const uint64_t chains = bucket_table + 4ull * *buckets;
  uint64_t last = 0;
  for (uint64_t i = 0; i < *buckets; ++i) {
    const auto head = image_.ReadElement<uint32_t>(bucket_table, i);
    if (!head) return std::nullopt;
    last = std::max<uint64_t>(last, *head);
  }
  if (last < *first) return *first;
  for (; last <= kMaxSymbols; ++last) {
    const auto hash = image_.ReadElement<uint32_t>(chains, last - *first);
    if (!hash) return std::nullopt;
    if ((*hash & 1) != 0) return last + 1;
  }
  return std::nullopt;
}

// If there are both kinds of table, the dynamic linker uses the GNU one.
std::optional<uint64_t> ElfFile::CountSymbols() const {
  if (image_.Value(DT_GNU_HASH).has_value()) {
    const auto hash = image_.OffsetOf(DT_GNU_HASH);
    return hash ? CountByGnuHash(*hash) : std::nullopt;
  }
  const auto hash = image_.OffsetOf(DT_HASH);
  const auto chains = hash ? image_.Read<uint32_t>(*hash + 4) : std::nullopt;
  if (!chains) return std::nullopt;
  return *chains;
}

ElfFile::Symbol ElfFile::Read(const Elf64_Sym& symbol, const Text& name,
                              uint64_t index) const {
  const int binding = ELF64_ST_BIND(symbol.st_info);
  const int visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  const int type = ELF64_ST_TYPE(symbol.st_info);
  const bool defined = symbol.st_shndx != SHN_UNDEF;
  const bool visible = binding != STB_LOCAL && (visibility == STV_DEFAULT ||
                                                visibility == STV_PROTECTED);
  return {name,
          defined,
          visible,
          type == STT_FUNC || type == STT_GNU_IFUNC,
          binding == STB_WEAK,
          defined && visible && IsCodeOrData(symbol),
          /*referenced=*/false,
          /*only_called=*/false,
          versions_.NumberOf(image_, index)};
}

bool ElfFile::ReadSymbols(Findings& findings) {
  const std::optional<uint64_t> table = image_.OffsetOf(DT_SYMTAB);
  std::optional<uint64_t> count = CountSymbols();
  // A hash table without exported names does not count imported ones.
  for (const Reference& reference : references_) {
    if (count.has_value()) count = std::max(*count, reference.symbol + 1);
  }
  if (!table.has_value() || !count.has_value() || *count > kMaxSymbols) {
    return AddDamaged(
        "the symbol table or its hash table is missing or does not fit",
        findings);
  }
  for (uint64_t i = 0; i < *count; ++i) {
    const auto symbol = image_.ReadElement<Elf64_Sym>(*table, i);
    const auto name = symbol ? image_.String(symbol->st_name) : std::nullopt;
    if (!name.has_value()) {
      return AddDamaged(
          Format("of {} symbols, number {} is outside the file", *count, i),
          findings);
    }
    symbols_.push_back(Read(*symbol, *name, i));
  }
  return true;
}

void ElfFile::NameSlots() {
  for (const Reference& reference : references_) {
    Symbol& symbol = symbols_[reference.symbol];
    symbol.only_called =
        reference.is_call && (symbol.only_called || !symbol.referenced);
    symbol.referenced = true;
    if (!reference.stores_address) continue;
    slots_.push_back({symbol.name.value, reference.address});
  }
  references_.clear();
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

std::vector<ElfFile::Text> ElfFile::SharedNames() const {
  const auto end_of = [](const Text& text) {
    return text.file_offset + text.value.size();
  };
  std::unordered_map<size_t, int> uses;  // of the bytes that end there
  for (const Text& text : needed_) uses[end_of(text)] = 0;
  const auto count = [&](const Text& text) {
    const auto found = uses.find(end_of(text));
    if (found != uses.end() && !text.value.empty()) ++found->second;
  };
  std::for_each(needed_.begin(), needed_.end(), count);
  std::for_each(search_paths_.begin(), search_paths_.end(), count);
  for (const Symbol& symbol : symbols_) count(symbol.name);
  std::vector<Text> shared;
  std::copy_if(needed_.begin(), needed_.end(), std::back_inserter(shared),
               [&](const Text& text) { return uses[end_of(text)] > 1; });
  return shared;
}

}  // namespace fsload
