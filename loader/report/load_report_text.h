// A LoadReport as text for people.
#pragma once

#include <string>
#include <string_view>

#include "fsload/load_report.h"
#include "fsload/rules.h"

namespace fsload {

// Returns "error", "warning" or "note".
std::string_view Word(Severity severity);

// Returns "a/plugin.so: refused", or "verified", and a line for each finding: "
// error FSP115: ...". Without control characters (visible_text.h), not wrapped.
std::string ReportText(const LoadReport& report);

}  // namespace fsload
