// What a set of libraries lacks: symbols and versions that nobody defines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loader/libraries/library_search.h"

namespace fsload {

struct UnresolvedSymbol {
  std::string name;
  std::string version;           // "" for any
  size_t wanted_by;              // index in Libraries::found
  std::string_view remark = {};  // anything else to say about it
};

struct UnresolvedSymbols {
  std::vector<UnresolvedSymbol> all;
  bool complete = true;  // false: the search took too long and was given up
};

// Returns the symbols that relocations need and that neither these libraries
// nor, if `has` says so, anybody else defines; weak ones may stay undefined.
// What this process has already loaded is bound and not checked. Each name and
// version once. None if the libraries are not complete.
UnresolvedSymbols FindUnresolved(const Libraries& libraries,
                                 bool (*has)(const UnresolvedSymbol& symbol));

struct MissingVersion {
  std::string version;
  std::string library;          // from which it is needed
  size_t wanted_by;             // index in Libraries::found
  std::optional<size_t> found;  // the library, which lacks it; none: nowhere
};

// Returns the versions needed from libraries that lack them; weak ones may be
// lacking unless that is fatal. What this process has already loaded was
// checked then. None if the libraries are not complete.
std::vector<MissingVersion> FindMissingVersions(const Libraries& libraries);

// Returns whether the dynamic linker would end the process over it instead of
// refusing.
bool IsFatal(const MissingVersion& version, const Libraries& libraries);

}  // namespace fsload
