// Failures that are known: a file with a line for each, `PATTERN  reason`.
#ifndef FSLOAD_TOOLS_CONFORMANCE_EXPECTED_FAILURES_H_
#define FSLOAD_TOOLS_CONFORMANCE_EXPECTED_FAILURES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/conformance/results.h"

namespace fsload::conformance {

struct ExpectedFailure {
  std::string pattern;  // case_pattern.h
  std::string reason;
};

// The lines of the file at `path` that are not empty and do not begin with '#'.
// INVALID_ARGUMENT, naming the line, for one without a reason or case.
absl::StatusOr<std::vector<ExpectedFailure>> ReadExpectedFailures(
    const std::string& path);

// A crash and an expired deadline are expected only by a pattern that names
// their case, as "read.at-an-offset@*" does.
//
// Turns failures that are expected into kExpectedFailure, and what passed
// although none of its pattern's runs should into kUnexpectedPass. A pattern of
// which some runs fail is as expected.
void ApplyExpectedFailures(const std::vector<ExpectedFailure>& expected,
                           std::vector<RunResult>& results);

}  // namespace fsload::conformance

#endif  // FSLOAD_TOOLS_CONFORMANCE_EXPECTED_FAILURES_H_
