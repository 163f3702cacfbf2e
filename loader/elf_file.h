// A shared object's dynamic section, read from its bytes.
//
// The bytes may be hostile: every offset, count and string is checked against
// them. Only program headers and PT_DYNAMIC count, as for the dynamic linker;
// section headers are ignored.
#ifndef FSLOAD_LOADER_ELF_FILE_H_
#define FSLOAD_LOADER_ELF_FILE_H_

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "loader/rules.h"

namespace fsload {

// Views into the file's bytes, valid as long as they are.
class ElfFile final {
 public:
  // A string of the dynamic section, and where in the file it is.
  struct Text {
    std::string_view value;
    size_t file_offset = 0;
  };

  struct Symbol {
    Text name;
    bool defined;
    bool visible;  // global or weak, not hidden: the dynamic linker finds it
    bool function;
  };

  // A relocation that puts a symbol's address into its place as it is.
  struct Slot {
    std::string_view symbol;
    uint64_t address;  // in the loaded image, relative to its base
  };

  // Reads the headers of `bytes`. None, and a finding, where they are not those
  // of a shared object for this machine.
  static std::optional<ElfFile> Parse(absl::Span<const char> bytes,
                                      Findings& findings);

  const std::vector<Text>& needed() const { return needed_; }
  const std::vector<Text>& search_paths() const { return search_paths_; }
  const std::vector<Symbol>& symbols() const { return symbols_; }
  const std::vector<Slot>& slots() const { return slots_; }

  // The libraries of which symbol versions are wanted.
  const std::vector<std::string_view>& versioned_libraries() const {
    return versioned_libraries_;
  }

  // Where in the file the dynamic section's terminator stands, if an unused
  // entry follows it: one more entry fits.
  std::optional<size_t> spare_dynamic_entry() const { return spare_entry_; }

  // The offset in the string table of `text`, one of this file's.
  size_t StringOffset(const Text& text) const {
    return text.file_offset - strings_offset_;
  }

  // The symbol `name` that other objects find here; null where there is none.
  const Symbol* FindExported(std::string_view name) const;

  // Whether the file takes `name` from another object.
  bool Imports(std::string_view name) const;

  // Whether a string other than `text`, which is an element of needed(), shares
  // its bytes: a string table may share tails.
  bool IsShared(const Text& text) const;

 private:
  explicit ElfFile(absl::Span<const char> bytes) : bytes_(bytes) {}

  // Each adds what is wrong to `problem` and then yields false.
  bool CheckHeader(Findings& findings) const;
  bool ReadProgramHeaders(std::string& problem);
  bool ReadDynamicSection(std::string& problem);
  bool CheckRelocationKinds(std::string& problem) const;
  bool ReadStrings(std::string& problem);
  bool ReadSymbols(std::string& problem);
  bool ReadSlots(std::string& problem);
  bool ReadVersionNeeds(std::string& problem);

  template <typename T>
  std::optional<T> Read(uint64_t offset) const;
  std::optional<uint64_t> FileOffset(uint64_t address) const;
  std::optional<uint64_t> Value(int64_t tag) const;
  std::optional<uint64_t> OffsetOf(int64_t tag) const;
  std::optional<Text> String(uint64_t offset) const;
  std::optional<uint64_t> CountSymbols() const;
  std::optional<uint64_t> CountByGnuHash(uint64_t table) const;

  absl::Span<const char> bytes_;
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Dyn> dynamic_;
  size_t strings_offset_ = 0;
  size_t strings_bytes_ = 0;
  std::optional<size_t> spare_entry_;
  std::vector<Text> needed_;
  std::vector<Text> search_paths_;
  std::vector<Symbol> symbols_;
  std::vector<Slot> slots_;
  std::vector<std::string_view> versioned_libraries_;
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_ELF_FILE_H_
