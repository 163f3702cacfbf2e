// A shared object's symbols and what it needs, read from its bytes.
//
// The bytes may be hostile: every offset, count and string is checked against
// them. Only program headers and PT_DYNAMIC count, as for the dynamic linker;
// section headers are ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "loader/elf/elf_image.h"
#include "loader/elf/elf_versions.h"
#include "loader/elf/file_bytes.h"
#include "loader/rules/findings.h"

namespace fsload {

// Views into the file's bytes, valid as long as they are. One thread at a time.
class ElfFile final {
 public:
  using Text = ElfImage::Text;

  struct Symbol {
    Text name;
    bool defined;
    bool visible;  // global or weak, not hidden: the dynamic linker finds it
    bool function;
    bool weak;         // may stay undefined
    bool findable;     // defined, visible, and code, data or thread-local data
    bool referenced;   // a relocation needs its address
    bool only_called;  // and all of them only for calls
    uint16_t version;  // its number, possibly with ElfVersions::kHidden
  };

  // A relocation that stores a symbol's address unchanged.
  struct Slot {
    std::string_view symbol;
    uint64_t address;  // in the loaded image, relative to its base
  };

  // Reads the headers of `bytes`. None, with a finding, if they are not those
  // of a shared object for `machines`. With a `source` the bytes are fetched
  // from it.
  static std::optional<ElfFile> Parse(absl::Span<const char> bytes,
                                      Findings& findings,
                                      FileBytes* source = nullptr,
                                      Machines machines = Machines::kThis);

  const std::vector<Text>& needed() const { return needed_; }
  const std::vector<Text>& search_paths() const { return search_paths_; }
  const std::vector<Symbol>& symbols() const { return symbols_; }
  const std::vector<Slot>& slots() const { return slots_; }

  // Returns whether a relocation asks for static TLS; DF_STATIC_TLS says so
  // too, but not each linker sets it.
  bool uses_static_tls() const { return uses_static_tls_; }

  const ElfVersions& versions() const { return versions_; }
  const ElfImage& image() const { return image_; }

  // Returns DT_FILTER and DT_AUXILIARY: the dynamic linker loads these too, the
  // latter if they exist.
  const std::vector<Text>& filters() const { return filters_; }
  const std::vector<Text>& auxiliaries() const { return auxiliaries_; }

  // Returns the string that the dynamic entry `tag` names: DT_SONAME, DT_RPATH,
  // DT_RUNPATH.
  std::optional<std::string_view> StringOf(int64_t tag) const;

  // Returns the offset of `text`, one of this file's, in the string table.
  size_t StringOffset(const Text& text) const {
    return text.file_offset - image_.strings_offset();
  }

  // Returns the symbol `name` that other objects can bind to here; null if
  // there is none.
  const Symbol* FindExported(std::string_view name) const;

  // Returns whether the file imports `name` from another object.
  bool Imports(std::string_view name) const;

  // Returns those of needed() whose bytes another string shares: string tables
  // may share suffixes.
  std::vector<Text> SharedNames() const;

 private:
  explicit ElfFile(ElfImage image) : image_(std::move(image)) {}

  // Adds problems to `findings`, and then returns false.
  bool ReadLibraryNames(Findings& findings);
  bool ReadRelocations(Findings& findings);
  bool ReadSymbols(Findings& findings);
  void NameSlots();

  Symbol Read(const Elf64_Sym& symbol, const Text& name, uint64_t index) const;
  std::optional<uint64_t> CountSymbols() const;
  std::optional<uint64_t> CountByGnuHash(uint64_t table) const;

  // A slot before the symbols are read; and all symbols that relocations name.
  struct Reference {
    uint64_t symbol;
    bool stores_address;
    bool is_call;
    uint64_t address;
  };

  ElfImage image_;
  std::vector<Text> needed_;
  std::vector<Text> search_paths_;
  std::vector<Text> filters_;
  std::vector<Text> auxiliaries_;
  std::vector<Reference> references_;
  std::vector<Symbol> symbols_;
  std::vector<Slot> slots_;
  ElfVersions versions_;
  bool uses_static_tls_ = false;
};

}  // namespace fsload
