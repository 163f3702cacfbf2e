#include "loader/elf/elf_versions.h"

#include <elf.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// More than any real library has; a list may loop.
constexpr uint64_t kMaxVersions = 1 << 16;

// The dynamic linker finds a version by its hash.
bool CheckHash(std::string_view name, uint32_t found, Findings& findings) {
  if (found == SysvHash(name)) return true;
  return AddDamaged(Format("wanted hash {:#x} of the version {}, found "
                           "{:#x}",
                           SysvHash(name), name, found),
                    findings);
}

}  // namespace

uint32_t SysvHash(std::string_view name) {
  uint32_t hash = 0;
  for (const char byte : name) {
    hash = (hash << 4) + static_cast<uint8_t>(byte);
    const uint32_t high = hash & 0xf0000000;
    hash = (hash ^ (high >> 24)) & ~high;
  }
  return hash;
}

std::optional<ElfVersions> ElfVersions::Read(const ElfImage& image,
                                             Findings& findings) {
  ElfVersions versions;
  if (image.Value(DT_VERSYM).has_value()) {
    versions.table_ = image.OffsetOf(DT_VERSYM);
    if (!versions.table_.has_value()) {
      AddDamaged("the symbols' versions are outside the file", findings);
      return std::nullopt;
    }
  }
  if (!versions.ReadNeeds(image, findings) ||
      !versions.ReadDefinitions(image, findings)) {
    return std::nullopt;
  }
  return versions;
}

uint16_t ElfVersions::NumberOf(const ElfImage& image, uint64_t index) const {
  if (!table_.has_value()) return 0;
  return image.ReadElement<uint16_t>(*table_, index).value_or(0);
}

std::string_view ElfVersions::NameOf(uint16_t number) const {
  const size_t index = number & ~kHidden;
  return index < names_.size() ? names_[index] : std::string_view();
}

void ElfVersions::SetName(uint16_t number, std::string_view name) {
  const size_t index = number & ~kHidden;
  if (index >= names_.size()) names_.resize(index + 1);
  names_[index] = name;
}

// The lists mark their own ends; like the dynamic linker, this ignores
// DT_VERNEEDNUM.
bool ElfVersions::ReadNeeds(const ElfImage& image, Findings& findings) {
  if (!image.Value(DT_VERNEED).has_value()) return true;
  std::optional<uint64_t> offset = image.OffsetOf(DT_VERNEED);
  for (uint64_t i = 0; i < kMaxVersions; ++i) {
    const auto need =
        offset ? image.Read<Elf64_Verneed>(*offset) : std::nullopt;
    const auto library = need ? image.String(need->vn_file) : std::nullopt;
    if (!library.has_value()) {
      return AddDamaged(Format("version need {} is outside the file", i),
                        findings);
    }
    libraries_.push_back(library->value);
    if (!ReadNeed(image, *need, *offset, findings)) return false;
    if (need->vn_next == 0) return true;
    *offset += need->vn_next;
  }
  return AddDamaged(
      Format("wanted at most {} version needs, found more", kMaxVersions),
      findings);
}

bool ElfVersions::ReadNeed(const ElfImage& image, const Elf64_Verneed& need,
                           uint64_t offset, Findings& findings) {
  uint64_t place = offset + need.vn_aux;
  while (needs_.size() < kMaxVersions) {
    const auto wanted = image.Read<Elf64_Vernaux>(place);
    const auto name = wanted ? image.String(wanted->vna_name) : std::nullopt;
    if (name.has_value() &&
        !CheckHash(name->value, wanted->vna_hash, findings)) {
      return false;
    }
    if (!name.has_value()) {
      return AddDamaged(
          Format("of the versions needed of {}, number {} is outside the file",
                 libraries_.back(), needs_.size()),
          findings);
    }
    needs_.push_back({libraries_.back(), name->value,
                      (wanted->vna_flags & VER_FLG_WEAK) != 0});
    SetName(wanted->vna_other, name->value);
    if (wanted->vna_next == 0) return true;
    place += wanted->vna_next;
  }
  return AddDamaged(
      Format("wanted at most {} versions, found more", kMaxVersions), findings);
}

bool ElfVersions::ReadDefinitions(const ElfImage& image, Findings& findings) {
  if (!image.Value(DT_VERDEF).has_value()) return true;
  std::optional<uint64_t> offset = image.OffsetOf(DT_VERDEF);
  for (uint64_t i = 0; i < kMaxVersions; ++i) {
    const auto version =
        offset ? image.Read<Elf64_Verdef>(*offset) : std::nullopt;
    const auto first =
        version ? image.Read<Elf64_Verdaux>(*offset + version->vd_aux)
                : std::nullopt;
    const auto name = first ? image.String(first->vda_name) : std::nullopt;
    if (!name.has_value()) {
      return AddDamaged(Format("version definition {} is outside the file", i),
                        findings);
    }
    if (!CheckHash(name->value, version->vd_hash, findings)) {
      return false;
    }
    definitions_.push_back(name->value);
    // The base version belongs to no symbol.
    if ((version->vd_flags & VER_FLG_BASE) == 0) {
      SetName(version->vd_ndx, name->value);
    }
    if (version->vd_next == 0) return true;
    *offset += version->vd_next;
  }
  return AddDamaged(
      Format("wanted at most {} versions, found more", kMaxVersions), findings);
}

}  // namespace fsload
