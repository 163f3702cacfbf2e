// Whether the parts of a report agree.
#ifndef FSLOAD_LOADER_REPORT_REPORT_CONSISTENCY_H_
#define FSLOAD_LOADER_REPORT_REPORT_CONSISTENCY_H_

#include <string>

#include "fsload/load_report.h"

namespace fsload {

// What no load reports, in words: success without a scheme that is registered,
// or beside a finding that refuses; a refusal without a finding; a scheme whose
// operations are not each present, by default or unavailable. "" where all
// agrees. A report that another process wrote is believed only then. `loads` is
// whether the plugin was loaded, or only looked at: then there are no schemes,
// and a success is one without a finding that refuses.
std::string Contradiction(const LoadReport& report, bool loads);

}  // namespace fsload

#endif  // FSLOAD_LOADER_REPORT_REPORT_CONSISTENCY_H_
