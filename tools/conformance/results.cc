#include "tools/conformance/results.h"

#include <string_view>

namespace fsload::conformance {

std::string_view Word(CaseVerdict verdict) {
  switch (verdict) {
    case CaseVerdict::kPassed:
      return "passed";
    case CaseVerdict::kFailed:
      return "failed";
    case CaseVerdict::kCrashed:
      return "crashed";
    case CaseVerdict::kTimedOut:
      return "timed_out";
    case CaseVerdict::kDisputed:
      return "disputed";
    case CaseVerdict::kSkipped:
      return "skipped";
    case CaseVerdict::kExpectedFailure:
      return "expected_failure";
    case CaseVerdict::kUnexpectedPass:
      return "unexpected_pass";
  }
  return "";
}

bool IsBad(CaseVerdict verdict) {
  return verdict == CaseVerdict::kFailed || HasDied(verdict) ||
         verdict == CaseVerdict::kUnexpectedPass;
}

bool HasDied(CaseVerdict verdict) {
  return verdict == CaseVerdict::kCrashed || verdict == CaseVerdict::kTimedOut;
}

Conclusion ConclusionOf(const ConformanceReport& report) {
  bool tested = false;
  for (const RunResult& result : report.results) {
    if (IsBad(result.verdict)) return Conclusion::kFailed;
    tested = tested || result.verdict != CaseVerdict::kSkipped;
  }
  return tested ? Conclusion::kConforms : Conclusion::kNothingTested;
}

std::string_view GroupOf(const Case& the_case) {
  const std::string_view name = the_case.name;
  return name.substr(0, name.find('.'));
}

}  // namespace fsload::conformance
