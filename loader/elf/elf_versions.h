// The symbol versions that a shared object needs from others, and those that it
// defines.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "loader/elf/elf_image.h"
#include "loader/rules/findings.h"

namespace fsload {

// Returns the hash of a version, or of a name in DT_HASH tables.
uint32_t SysvHash(std::string_view name);

// Views into the file's bytes, valid as long as they are. Immutable.
class ElfVersions final {
 public:
  // One version needed from one library.
  struct Need {
    std::string_view library;
    std::string_view version;
    bool weak;  // the library may lack it
  };

  // Reads the version tables, which are optional in a file. None, with a
  // finding, if they are damaged.
  static std::optional<ElfVersions> Read(const ElfImage& image,
                                         Findings& findings);

  const std::vector<Need>& needs() const { return needs_; }

  // Returns the libraries from which versions are needed, in file order.
  const std::vector<std::string_view>& libraries() const { return libraries_; }

  // Returns the versions that the file defines, including the one that names
  // the file.
  const std::vector<std::string_view>& definitions() const {
    return definitions_;
  }

  // Returns whether symbols have versions at all.
  bool any() const { return table_.has_value(); }

  // Returns the version number of symbol `index`, with kHidden if only a
  // request for that version finds it; 0 if symbols have no versions.
  uint16_t NumberOf(const ElfImage& image, uint64_t index) const;
  static constexpr uint16_t kHidden = 0x8000;

  // Returns the version with this number; "" if none.
  std::string_view NameOf(uint16_t number) const;

 private:
  bool ReadNeeds(const ElfImage& image, Findings& findings);
  bool ReadNeed(const ElfImage& image, const Elf64_Verneed& need,
                uint64_t offset, Findings& findings);
  bool ReadDefinitions(const ElfImage& image, Findings& findings);
  void SetName(uint16_t number, std::string_view name);

  std::optional<uint64_t> table_;  // file offset of DT_VERSYM
  std::vector<Need> needs_;
  std::vector<std::string_view> libraries_;
  std::vector<std::string_view> definitions_;
  std::vector<std::string_view> names_;  // by number
};

}  // namespace fsload
