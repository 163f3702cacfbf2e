#include "tools/conformance/expected_failures.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "loader/conformance/case.h"
#include "loader/conformance/cases/cases.h"
#include "loader/conformance/run_case.h"
#include "third_party/fmt/format.h"
#include "tools/conformance/case_pattern.h"
#include "tools/conformance/case_process.h"
#include "tools/conformance/options.h"
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
      return InvalidArgumentError(
          "{}:{}: '{}' has no reason; write: PATTERN  why it fails", path,
          number, line);
    }
    const absl::Status known =
        CheckSelectsAny(Format("{}:{}", path, number), line.substr(0, end));
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

// Whether `pattern` selects a case, or a way of one, that was left out.
bool SelectsOthers(const std::string& pattern,
                   const ConformanceOptions& options,
                   const std::vector<RunResult>& results) {
  std::set<const Case*> known;
  for (const RunResult& each : results) known.insert(each.run.the_case);
  for (const Case& each : AllCases()) {
    const bool is_known = known.count(&each) != 0;
    for (const CaseRun& run : PossibleRuns(each)) {
      if (Selects(pattern, run) && !(is_known && IsChosen(options, run))) {
        return true;
      }
    }
  }
  return false;
}

// Whether it may be the one that fails. A plugin without the operations for a
// case never does.
bool WasNotRun(CaseVerdict verdict, const RunResult& result) {
  return verdict == CaseVerdict::kSkipped && result.missing.empty();
}

bool Excuses(const ExpectedFailure& expected, CaseVerdict verdict) {
  return verdict == CaseVerdict::kFailed ||
         (HasDied(verdict) && NamesOneCase(expected.pattern));
}

}  // namespace

bool IsExpected(const std::vector<ExpectedFailure>& expected,
                const RunResult& result) {
  return std::any_of(expected.begin(), expected.end(),
                     [&](const ExpectedFailure& each) {
                       return Selects(each.pattern, result.run) &&
                              Excuses(each, result.verdict);
                     });
}

void ApplyExpectedFailures(const std::vector<ExpectedFailure>& expected,
                           const ConformanceOptions& options,
                           std::vector<RunResult>& results) {
  std::vector<CaseVerdict> verdicts;  // as the cases ended
  for (const RunResult& each : results) verdicts.push_back(each.verdict);
  for (const ExpectedFailure& each : expected) {
    std::vector<RunResult*> passed;
    bool fails = SelectsOthers(each.pattern, options, results);
    for (size_t i = 0; i < results.size(); ++i) {
      if (!Selects(each.pattern, results[i].run)) continue;
      if (verdicts[i] == CaseVerdict::kPassed) passed.push_back(&results[i]);
      fails = fails || IsBad(verdicts[i]) ||
              verdicts[i] == CaseVerdict::kDisputed ||
              WasNotRun(verdicts[i], results[i]);
      if (!Excuses(each, verdicts[i])) continue;
      results[i].verdict = CaseVerdict::kExpectedFailure;
      results[i].reason = each.reason;
    }
    if (fails) continue;
    for (RunResult* const result : passed) {
      result->verdict = CaseVerdict::kUnexpectedPass;
      result->reason = each.reason;
    }
  }
}

}  // namespace fsload::conformance
