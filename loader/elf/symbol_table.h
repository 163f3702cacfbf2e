// Looks up a shared object's symbols as the dynamic linker does: by its hash
// table and by version.
#pragma once

#include <cstdint>
#include <string_view>

#include "loader/elf/elf_file.h"

namespace fsload {

// How much work is left; hostile tables can contain endless chains.
class WorkLimit final {
 public:
  explicit WorkLimit(uint64_t steps) : steps_(steps) {}

  // Takes one step; false if none is left.
  bool Step() { return Take(1); }

  // Takes several steps at once.
  bool Take(uint64_t steps) {
    const bool left = steps <= steps_;
    steps_ = left ? steps_ - steps : 0;
    return left;
  }
  bool IsSpent() const { return steps_ == 0; }

 private:
  uint64_t steps_;
};

// A name with its hashes.
struct SymbolName {
  explicit SymbolName(std::string_view name);

  std::string_view name;
  uint32_t gnu_hash;
  uint32_t sysv_hash;
};

// A view of `file`, which must outlive it and must not move. Immutable.
class SymbolTable final {
 public:
  explicit SymbolTable(const ElfFile& file);

  // Returns whether the dynamic linker finds `name` here for a reference to
  // this version, or to none in particular if "".
  bool Defines(const SymbolName& name, std::string_view version,
               WorkLimit& work) const;

 private:
  // The result for one candidate: it is the definition; it is something else;
  // it counts only if there is no second.
  enum class Match { kYes, kNo, kIfAlone };
  class Search;

  Match MatchSymbol(uint64_t index, std::string_view name,
                    std::string_view version) const;
  bool SearchGnu(const SymbolName& name, Search& search) const;
  bool SearchSysv(const SymbolName& name, Search& search) const;

  const ElfFile& file_;
  bool gnu_ = false;
  uint64_t table_ = 0;    // its file offset; 0: there is none
  uint32_t buckets_ = 0;  // count
  uint32_t first_ = 0;    // in the GNU table: the first hashed symbol
  uint32_t bloom_words_ = 0;
  uint32_t bloom_shift_ = 0;
};

}  // namespace fsload
