// Checks that the parts of a report agree.
#ifndef FSLOAD_LOADER_REPORT_REPORT_CONSISTENCY_H_
#define FSLOAD_LOADER_REPORT_REPORT_CONSISTENCY_H_

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

#endif  // FSLOAD_LOADER_REPORT_REPORT_CONSISTENCY_H_
