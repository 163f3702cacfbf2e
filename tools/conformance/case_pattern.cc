#include "tools/conformance/case_pattern.h"

#include <string>

#include "loader/conformance/case.h"
#include "loader/conformance/cases/cases.h"
#include "loader/conformance/run_case.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {

absl::Status CheckSelectsAny(const std::string& where,
                             const std::string& pattern) {
  for (const Case& each : AllCases()) {
    for (const CaseRun& run : PossibleRuns(each)) {
      if (Selects(pattern, run)) return absl::OkStatus();
    }
  }
  return InvalidArgumentError(
      "{}: no case matches '{}'; `fsload conformance --list` lists "
      "the cases",
      where, pattern);
}

}  // namespace fsload::conformance
