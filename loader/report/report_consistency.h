// Checks that the parts of a report agree.
#pragma once

#include <string>

#include "fsload/load_report.h"

namespace fsload {

// Returns a contradiction that no real load reports, in words: success without
// a registered scheme, or together with a finding that refuses; a refusal
// without a finding; a scheme whose operations are not each present, by default
// or unavailable. "" if there is none. A report from another process is
// believed only then. `loads` is whether the plugin was loaded or only
// inspected: then there are no schemes, and success means no finding that
// refuses.
std::string Contradiction(const LoadReport& report, bool loads);

}  // namespace fsload
