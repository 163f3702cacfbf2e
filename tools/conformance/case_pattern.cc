#include "tools/conformance/case_pattern.h"

#include <algorithm>
#include <string>
#include <vector>

#include "loader/conformance/case.h"
#include "loader/conformance/run_case.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {

bool SelectsRunOf(const std::string& pattern, const Case& the_case) {
  const std::vector<CaseRun> runs = PossibleRuns(the_case);
  return std::any_of(runs.begin(), runs.end(),
                     [&](const CaseRun& run) { return Selects(pattern, run); });
}

absl::Status CheckSelectsAny(const std::string& where,
                             const std::string& pattern) {
  for (const Case& each : AllCases()) {
    if (SelectsRunOf(pattern, each)) return absl::OkStatus();
  }
  return InvalidArgumentError(
      "{}: no case matches '{}'; `fsload conformance --list` lists "
      "the cases",
      where, pattern);
}

}  // namespace fsload::conformance
