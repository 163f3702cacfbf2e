#include "tools/conformance/case_pattern.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <string>

#include "core/conformance/case.h"

namespace fsload::conformance {

bool Selects(const std::string& pattern, const CaseRun& run) {
  const auto matches = [&](const std::string& name) {
    return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
  };
  return matches(run.Name()) || matches(run.the_case->name) ||
         matches(RuleName(*run.the_case));
}

absl::Status CheckSelectsAny(const std::string& where,
                             const std::string& pattern) {
  for (const Case& each : AllCases()) {
    for (const CaseRun& run : PossibleRuns(each)) {
      if (Selects(pattern, run)) return absl::OkStatus();
    }
  }
  return absl::InvalidArgumentError(
      fmt::format("{}: no case matches '{}'; `fsload conformance --list` lists "
                  "the cases",
                  where, pattern));
}

}  // namespace fsload::conformance
