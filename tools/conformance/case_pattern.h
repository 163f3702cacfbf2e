// Globs that select cases: "rename.*", "rename.nothing-else@tables", "FSP63?".
#pragma once

#include <string>

#include "absl/status/status.h"
#include "loader/conformance/case.h"

namespace fsload::conformance {

// Returns whether `pattern` selects a run of the case.
bool SelectsRunOf(const std::string& pattern, const Case& the_case);

// Returns INVALID_ARGUMENT if `pattern` selects no run of any case. The message
// begins with `where`, which names the option or line.
absl::Status CheckSelectsAny(const std::string& where,
                             const std::string& pattern);

}  // namespace fsload::conformance
