// Failures that are known: a file with a line for each, `PATTERN  reason`.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/conformance/results.h"

namespace fsload::conformance {

struct ConformanceOptions;

struct ExpectedFailure {
  std::string pattern;  // case_pattern.h
  std::string reason;
};

// Returns the lines of the file at `path` that are not empty and do not begin
// with '#'. INVALID_ARGUMENT, naming the line, for one without a reason or
// case.
absl::StatusOr<std::vector<ExpectedFailure>> ReadExpectedFailures(
    const std::string& path);

// Returns whether a line expects this failure. A crash or an expired deadline
// is expected only by a line that names its case, as "read.at-an-offset@*"
// does.
bool IsExpected(const std::vector<ExpectedFailure>& expected,
                const RunResult& result);

// Turns failures that a line expects into kExpectedFailure. If all cases of a
// line were run and none fails, those that passed become kUnexpectedPass.
void ApplyExpectedFailures(const std::vector<ExpectedFailure>& expected,
                           const ConformanceOptions& options,
                           std::vector<RunResult>& results);

}  // namespace fsload::conformance
