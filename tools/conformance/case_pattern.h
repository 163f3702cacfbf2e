// Globs that select cases: "rename.*", "rename.nothing-else@tables", "FSP63?".
#pragma once

#include <string>

#include "absl/status/status.h"

namespace fsload::conformance {

// Returns INVALID_ARGUMENT if `pattern` selects no run of any case. The message
// begins with `where`, which names the option or line.
absl::Status CheckSelectsAny(const std::string& where,
                             const std::string& pattern);

}  // namespace fsload::conformance
