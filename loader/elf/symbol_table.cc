#include "loader/elf/symbol_table.h"

#include <elf.h>

#include <cstdint>
#include <string_view>

namespace fsload {
namespace {

constexpr uint32_t kWordBits = 64;

uint32_t GnuHash(std::string_view name) {
  uint32_t hash = 5381;
  for (const char byte : name) hash = hash * 33 + static_cast<uint8_t>(byte);
  return hash;
}

}  // namespace

SymbolName::SymbolName(std::string_view name)
    : name(name), gnu_hash(GnuHash(name)), sysv_hash(SysvHash(name)) {}

// One lookup: tries candidates until one settles it.
class SymbolTable::Search {
 public:
  Search(const SymbolTable& table, const SymbolName& name,
         std::string_view version, WorkLimit& work)
      : table_(table), name_(name), version_(version), work_(work) {}

  // True when the search is over.
  bool Take(uint64_t index) {
    // Comparing long names takes more than one step.
    constexpr size_t kBytesInAStep = 64;
    if (!work_.Take(name_.name.size() / kBytesInAStep)) return true;
    switch (table_.MatchSymbol(index, name_.name, version_)) {
      case Match::kYes:
        return found_ = true;
      case Match::kIfAlone:
        ++alone_;
        return false;
      case Match::kNo:
        return false;
    }
    return false;
  }

  bool Step() { return work_.Step(); }
  bool Found() const { return found_ || alone_ == 1; }

 private:
  const SymbolTable& table_;
  const SymbolName& name_;
  const std::string_view version_;
  WorkLimit& work_;
  bool found_ = false;
  int alone_ = 0;
};

// If there are both kinds of table, the GNU one is used.
SymbolTable::SymbolTable(const ElfFile& file) : file_(file) {
  const ElfImage& image = file.image();
  if (const auto gnu = image.OffsetOf(DT_GNU_HASH)) {
    gnu_ = true;
    table_ = *gnu;
    buckets_ = image.Read<uint32_t>(table_).value_or(0);
    first_ = image.Read<uint32_t>(table_ + 4).value_or(0);
    bloom_words_ = image.Read<uint32_t>(table_ + 8).value_or(0);
    bloom_shift_ = image.Read<uint32_t>(table_ + 12).value_or(0);
  } else if (const auto sysv = image.OffsetOf(DT_HASH)) {
    table_ = *sysv;
    buckets_ = image.Read<uint32_t>(table_).value_or(0);
  }
}

bool SymbolTable::Defines(const SymbolName& name, std::string_view version,
                          WorkLimit& work) const {
  if (buckets_ == 0) return false;
  Search search(*this, name, version, work);
  return gnu_ ? SearchGnu(name, search) : SearchSysv(name, search);
}

bool SymbolTable::SearchGnu(const SymbolName& name, Search& search) const {
  const ElfImage& image = file_.image();
  const uint64_t bloom = table_ + 16;
  if (bloom_words_ == 0) return false;
  // The dynamic linker masks because the number is a power of two.
  const auto word = image.ReadElement<uint64_t>(
      bloom, (name.gnu_hash / kWordBits) & (bloom_words_ - 1));
  const uint32_t second = bloom_shift_ < 32 ? name.gnu_hash >> bloom_shift_ : 0;
  if (!word.has_value() || (*word >> (name.gnu_hash % kWordBits) &
                            *word >> (second % kWordBits) & 1) == 0) {
    return false;
  }
  const uint64_t bucket_table = bloom + 8ull * bloom_words_;
  const uint64_t chains = bucket_table + 4ull * buckets_;
  const auto head =
      image.ReadElement<uint32_t>(bucket_table, name.gnu_hash % buckets_);
  if (!head.has_value() || *head == 0 || *head < first_) return false;
  for (uint64_t index = *head; search.Step(); ++index) {
    const auto hash = image.ReadElement<uint32_t>(chains, index - first_);
    if (!hash.has_value()) break;
    if ((*hash | 1) == (name.gnu_hash | 1) && search.Take(index)) break;
    if ((*hash & 1) != 0) break;
  }
  return search.Found();
}

bool SymbolTable::SearchSysv(const SymbolName& name, Search& search) const {
  const ElfImage& image = file_.image();
  const uint64_t bucket_table = table_ + 8;
  const uint64_t chains = bucket_table + 4ull * buckets_;
  auto index =
      image.ReadElement<uint32_t>(bucket_table, name.sysv_hash % buckets_);
  // An endless chain loops.
  size_t longest = file_.symbols().size();
  while (index.has_value() && *index != 0 && longest-- > 0 && search.Step()) {
    if (search.Take(*index)) break;
    index = image.ReadElement<uint32_t>(chains, *index);
  }
  return search.Found();
}

// Like glibc's check_match.
SymbolTable::Match SymbolTable::MatchSymbol(uint64_t index,
                                            std::string_view name,
                                            std::string_view version) const {
  if (index >= file_.symbols().size()) return Match::kNo;
  const ElfFile::Symbol& symbol = file_.symbols()[index];
  if (!symbol.findable || symbol.name.value != name) return Match::kNo;
  const ElfVersions& versions = file_.versions();
  if (!versions.any()) return Match::kYes;
  const bool hidden = (symbol.version & ElfVersions::kHidden) != 0;
  if (!version.empty()) {
    const std::string_view own = versions.NameOf(symbol.version);
    return own == version || (own.empty() && !hidden) ? Match::kYes
                                                      : Match::kNo;
  }
  // Numbers 0 and 1 are not versions; 2 is the oldest.
  constexpr uint16_t kOldest = 2;
  if ((symbol.version & ~ElfVersions::kHidden) <= kOldest) return Match::kYes;
  return hidden ? Match::kNo : Match::kIfAlone;
}

}  // namespace fsload
