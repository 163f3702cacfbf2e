// A shared object's headers and its dynamic section, and bounded access to what
// they point to.
//
// The bytes may be hostile: every offset, count and string is checked against
// them. Only program headers and PT_DYNAMIC count, as for the dynamic linker.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "loader/elf/file_bytes.h"
#include "loader/machine/machine.h"
#include "loader/rules/findings.h"

namespace fsload {

// Which files are read: those that this program could load, or also those for
// the other processors of machine.h, with the finding that says so.
enum class Machines { kThis, kKnown };

// Views into the file's bytes, valid as long as they are. One thread at a time.
class ElfImage final {
 public:
  // A string of the dynamic section and its file offset.
  struct Text {
    std::string_view value;
    size_t file_offset = 0;
  };

  // Reads the headers of `bytes`, fetched from `source` if there is one. None,
  // with a finding, if they are not those of a shared object for `machines`.
  static std::optional<ElfImage> Parse(absl::Span<const char> bytes,
                                       FileBytes* source, Findings& findings,
                                       Machines machines = Machines::kThis);

  // Returns the processor that it is for, and whether that is another one than
  // this program's.
  const Machine& machine() const { return *machine_; }
  bool is_foreign() const { return machine_ != &ThisMachine(); }

  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  const std::vector<Elf64_Dyn>& dynamic() const { return dynamic_; }
  size_t strings_offset() const { return strings_offset_; }
  size_t strings_bytes() const { return strings_bytes_; }

  // Returns the file offset of the dynamic section's terminator, if an unused
  // entry follows it: one more entry fits.
  std::optional<size_t> spare_dynamic_entry() const { return spare_entry_; }

  // Returns the value at `offset` in the file; none if it does not fit.
  template <typename T>
  std::optional<T> Read(uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) {
      return std::nullopt;
    }
    if (source_ != nullptr) source_->Fetch(offset, sizeof(T));
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  // Returns element `index` of the table that begins at `offset`.
  template <typename T>
  std::optional<T> ReadElement(uint64_t offset, uint64_t index) const {
    if (index > bytes_.size() / sizeof(T)) return std::nullopt;
    if (offset > bytes_.size()) return std::nullopt;
    return Read<T>(offset + index * sizeof(T));
  }

  // Returns whether `text` is at `offset` in the file.
  bool Holds(uint64_t offset, std::string_view text) const;

  // Returns the file offset of what is loaded at `address`.
  std::optional<uint64_t> FileOffset(uint64_t address) const;

  // Returns whether `bytes` bytes at `address` are in one segment that is
  // loaded.
  bool IsMapped(uint64_t address, uint64_t bytes) const;

  // Returns the value of the last dynamic entry with `tag`, the one that
  // counts, and the file offset for its address.
  std::optional<uint64_t> Value(int64_t tag) const;
  std::optional<uint64_t> OffsetOf(int64_t tag) const;

  // Returns the string at `offset` in the string table. Also none after more
  // reads than any real file needs.
  std::optional<Text> String(uint64_t offset) const;

 private:
  ElfImage(absl::Span<const char> bytes, FileBytes* source)
      : bytes_(bytes), source_(source) {}

  // Adds problems to `findings`, and then returns false.
  bool CheckHeader(Machines machines, Findings& findings);
  bool CheckSegment(const Elf64_Phdr& segment, uint64_t mapped_end,
                    Findings& findings) const;
  bool ReadProgramHeaders(Findings& findings);
  bool CheckNotes(Findings& findings) const;
  bool ReadDynamicSection(Findings& findings);
  bool CheckRelocationKinds(Findings& findings) const;
  bool ReadStrings(Findings& findings);

  absl::Span<const char> bytes_;
  FileBytes* source_;  // null: all bytes are there
  const Machine* machine_ = &ThisMachine();
  std::vector<Elf64_Phdr> segments_;
  std::vector<Elf64_Dyn> dynamic_;
  size_t strings_offset_ = 0;
  size_t strings_bytes_ = 0;
  std::optional<size_t> spare_entry_;
  mutable uint64_t string_bytes_read_ = 0;
};

// Adds a finding about a file that no linker wrote this way. Returns false.
bool AddDamaged(const std::string& problem, Findings& findings);

}  // namespace fsload
