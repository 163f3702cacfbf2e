// Why the dynamic linker would not open a plugin, in words.
#pragma once

#include <string>
#include <vector>

#include "loader/libraries/library_search.h"
#include "loader/libraries/symbol_scope.h"
#include "loader/rules/findings.h"

namespace fsload {

// Adds one finding for each broken rule: it names all libraries, versions or
// symbols, as far as they fit. `in_place` is whether the plugin gets no
// functions from fsload.
void AddLinkFindings(const Libraries& libraries,
                     const std::vector<MissingVersion>& versions,
                     const UnresolvedSymbols& symbols, bool in_place,
                     Findings& findings);

// Reports that these functions, demangled, are missing and have stubs.
void AddStubFinding(const std::vector<std::string>& functions,
                    Findings& findings);

}  // namespace fsload
