#include "loader/libraries/symbol_scope.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "loader/elf/symbol_table.h"

namespace fsload {
namespace {

// Real plugins take a few hundred thousand; this is about a second.
constexpr uint64_t kMaxSteps = 1 << 26;

std::optional<size_t> FindByName(const Libraries& libraries,
                                 std::string_view name) {
  for (size_t i = 0; i < libraries.found.size(); ++i) {
    if (libraries.found[i]->HasName(name)) return i;
  }
  return std::nullopt;
}

// Whether the library `name` was never found. A missing one has its own
// finding.
bool IsNowhere(const Libraries& libraries, std::string_view name) {
  const auto& missing = libraries.missing;
  const auto& loaded = libraries.loaded_names;
  return std::find(loaded.begin(), loaded.end(), name) == loaded.end() &&
         std::none_of(
             missing.begin(), missing.end(),
             [&](const MissingLibrary& each) { return each.name == name; });
}

// The versions that libraries have: thousands of lookups in lists of thousands.
class VersionsOf {
 public:
  // Whether `library` lacks `version`. The dynamic linker accepts one that has
  // version tables but defines no versions.
  bool Lacks(const NeededLibrary& library, std::string_view version) {
    const ElfVersions& versions = library.file->versions();
    const auto& own = versions.definitions();
    if (own.empty()) return !versions.any();
    auto& known = known_[&library];
    if (known.empty()) known.insert(own.begin(), own.end());
    return known.count(version) == 0;
  }

 private:
  std::map<const NeededLibrary*, std::unordered_set<std::string_view>> known_;
};

// Finds symbols as the dynamic linker does, or, for a plugin that is for
// another processor, by name alone: each processor's libraries begin with
// another version, and only this one's are here.
class Definitions {
 public:
  explicit Definitions(const Libraries& libraries) : libraries_(libraries) {
    if (!IsForeign(0)) return;
    for (const auto& each : libraries.found) {
      for (const ElfFile::Symbol& symbol : each->file->symbols()) {
        if (symbol.findable) names_.insert(symbol.name.value);
      }
    }
  }

  bool IsForeign(size_t library) const {
    return libraries_.found[library]->file->image().is_foreign();
  }

  // Returns whether a library defines what library `wanted_by` needs.
  bool Has(const UnresolvedSymbol& wanted) {
    if (IsForeign(wanted.wanted_by)) return names_.count(wanted.name) != 0;
    const SymbolName name(wanted.name);
    const auto defines = [&](const std::unique_ptr<NeededLibrary>& each) {
      return work_.Step() &&
             each->symbols->Defines(name, wanted.version, work_);
    };
    return std::any_of(libraries_.found.begin(), libraries_.found.end(),
                       defines);
  }

  bool GaveUp() const { return work_.IsSpent(); }

 private:
  const Libraries& libraries_;
  WorkLimit work_{kMaxSteps};
  std::unordered_set<std::string_view> names_;
};

}  // namespace

UnresolvedSymbols FindUnresolved(const Libraries& libraries,
                                 bool (*has)(const UnresolvedSymbol& symbol)) {
  UnresolvedSymbols unresolved;
  unresolved.complete = libraries.complete;
  if (!unresolved.complete) return unresolved;
  Definitions definitions(libraries);
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (size_t i = 0; i < libraries.found.size(); ++i) {
    const NeededLibrary& library = *libraries.found[i];
    if (library.loaded) continue;
    for (const ElfFile::Symbol& symbol : library.file->symbols()) {
      if (!symbol.referenced || symbol.defined || !symbol.visible ||
          symbol.weak) {
        continue;
      }
      const std::string_view version =
          library.file->versions().NameOf(symbol.version);
      if (!seen.insert({symbol.name.value, version}).second) continue;
      UnresolvedSymbol found = {std::string(symbol.name.value),
                                std::string(version), i};
      if (definitions.Has(found)) continue;
      if (definitions.GaveUp()) {
        unresolved.complete = false;
        return unresolved;
      }
      if (has == nullptr || !has(found)) {
        unresolved.all.push_back(std::move(found));
      }
    }
  }
  return unresolved;
}

std::vector<MissingVersion> FindMissingVersions(const Libraries& libraries) {
  std::vector<MissingVersion> missing;
  if (!libraries.complete) return missing;
  VersionsOf versions;
  std::map<std::string_view, std::optional<size_t>> places;
  for (size_t i = 0; i < libraries.found.size(); ++i) {
    const NeededLibrary& wants = *libraries.found[i];
    if (wants.loaded || wants.file->image().is_foreign()) continue;
    for (const ElfVersions::Need& need : wants.file->versions().needs()) {
      const auto [known, is_new] = places.try_emplace(need.library);
      if (is_new) known->second = FindByName(libraries, need.library);
      const std::optional<size_t> place = known->second;
      const bool lacks =
          place.has_value()
              ? versions.Lacks(*libraries.found[*place], need.version)
              : IsNowhere(libraries, need.library);
      if (!lacks) continue;
      MissingVersion version = {std::string(need.version),
                                std::string(need.library), i, place};
      if (need.weak && !IsFatal(version, libraries)) continue;
      missing.push_back(std::move(version));
    }
  }
  return missing;
}

bool IsFatal(const MissingVersion& version, const Libraries& libraries) {
  return !version.found.has_value() ||
         !libraries.found[*version.found]->file->versions().any();
}

}  // namespace fsload
