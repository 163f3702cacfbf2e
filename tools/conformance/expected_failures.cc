#include "tools/conformance/expected_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/conformance/case_pattern.h"
#include "tools/conformance/text_file.h"

namespace fsload::conformance {

absl::StatusOr<std::vector<ExpectedFailure>> ReadExpectedFailures(
    const std::string& path) {
  const absl::StatusOr<std::string> text = ReadTextFile(path);
  if (!text.ok()) return text.status();
  std::istringstream lines(*text);
  std::vector<ExpectedFailure> expected;
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    const size_t end = line.find_first_of(" \t");
    const size_t reason = line.find_first_not_of(" \t", end);
    if (end == std::string::npos || reason == std::string::npos) {
      return absl::InvalidArgumentError(
          fmt::format("{}:{}: '{}' has no reason; write: PATTERN  why it fails",
                      path, number, line));
    }
    const absl::Status known = CheckSelectsAny(
        fmt::format("{}:{}", path, number), line.substr(0, end));
    if (!known.ok()) return known;
    expected.push_back({line.substr(0, end), line.substr(reason)});
  }
  return expected;
}

namespace {

// Whether `pattern` names one case, in any or all of its ways. A wider one does
// not hide that a plugin crashes.
bool NamesOneCase(const std::string& pattern) {
  return pattern.substr(0, pattern.find('@')).find_first_of("*?[") ==
         std::string::npos;
}

bool Excuses(const ExpectedFailure& expected, CaseVerdict verdict) {
  if (verdict == CaseVerdict::kCrashed || verdict == CaseVerdict::kTimedOut) {
    return NamesOneCase(expected.pattern);
  }
  return IsBad(verdict) || verdict == CaseVerdict::kExpectedFailure;
}

}  // namespace

void ApplyExpectedFailures(const std::vector<ExpectedFailure>& expected,
                           std::vector<RunResult>& results) {
  for (const ExpectedFailure& each : expected) {
    std::vector<RunResult*> passed;
    bool fails = false;
    for (RunResult& result : results) {
      if (!Selects(each.pattern, result.run)) continue;
      if (result.verdict == CaseVerdict::kPassed) {
        passed.push_back(&result);
      } else if (Excuses(each, result.verdict)) {
        result.verdict = CaseVerdict::kExpectedFailure;
        result.reason = each.reason;
        fails = true;
      }
    }
    if (fails) continue;
    for (RunResult* const result : passed) {
      result->verdict = CaseVerdict::kUnexpectedPass;
      result->reason = each.reason;
    }
  }
}

}  // namespace fsload::conformance
