#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "fsload/op.h"
#include "third_party/fmt/format.h"
#include "tools/conformance/documents.h"
#include "tools/text/interface_lines.h"
#include "tools/text/visible_text.h"

namespace fsload::conformance {
namespace {

struct VerdictWord {
  std::string_view word;
  Colour colour;
};

VerdictWord WordFor(CaseVerdict verdict) {
  switch (verdict) {
    case CaseVerdict::kFailed:
      return {"FAILED", Colour::kError};
    case CaseVerdict::kCrashed:
      return {"CRASHED", Colour::kError};
    case CaseVerdict::kTimedOut:
      return {"TIMED OUT", Colour::kError};
    case CaseVerdict::kUnexpectedPass:
      return {"PASSED UNEXPECTEDLY", Colour::kWarning};
    case CaseVerdict::kDisputed:
      return {"disputed", Colour::kNote};
    case CaseVerdict::kExpectedFailure:
      return {"expected failure", Colour::kNote};
    case CaseVerdict::kPassed:
    case CaseVerdict::kSkipped:
      break;
  }
  return {"", Colour::kGood};
}

// The last calls, which led to what failed.
std::string CallsText(const RunResult& result) {
  constexpr size_t kMax = 12;
  const std::vector<std::string>& calls = result.calls;
  if (calls.empty()) return "";
  const size_t first = calls.size() > kMax ? calls.size() - kMax : 0;
  std::string text =
      first == 0 ? "    calls:\n"
                 : Format("    the last {} of {} calls:\n", kMax, calls.size());
  for (size_t i = first; i < calls.size(); ++i) {
    text += VisibleLines(calls[i], "      ");
  }
  return text;
}

}  // namespace

std::string ResultText(const RunResult& result, const TextStyle& style) {
  const VerdictWord verdict = WordFor(result.verdict);
  if (verdict.word.empty()) return "";
  const Case& the_case = *result.run.the_case;
  std::string text =
      Format("{} {} {}: {}{}\n", style.In(verdict.colour, verdict.word),
             RuleName(the_case), result.run.Name(), the_case.title,
             InterfaceLinesText(the_case.lines));
  if (!result.reason.empty()) text += VisibleLines(result.reason, "  ");
  if (!IsBad(result.verdict)) {
    if (!result.failures.empty())
      text += VisibleLines(result.failures[0], "  ");
    return text;
  }
  constexpr size_t kMaxFailures = 6;
  const size_t shown = std::min(result.failures.size(), kMaxFailures);
  for (size_t i = 0; i < shown; ++i) {
    text += VisibleLines(result.failures[i], "  ");
  }
  if (shown < result.failures.size()) {
    text += Format("  and {} more, which --format=json shows\n",
                   result.failures.size() - shown);
  }
  text += CallsText(result);
  if (!result.printed.empty()) {
    text += "    what the plugin printed:\n" +
            VisibleLines(std::string_view(result.printed).substr(0, 2000),
                         "      ");
  }
  if (!result.left_behind.empty()) {
    text += "    left behind: " + Visible(result.left_behind) + "\n";
  }
  return text;
}

std::string SummaryText(const ConformanceReport& report,
                        const TextStyle& style) {
  constexpr CaseVerdict kColumns[] = {
      CaseVerdict::kPassed,         CaseVerdict::kFailed,
      CaseVerdict::kCrashed,        CaseVerdict::kTimedOut,
      CaseVerdict::kUnexpectedPass, CaseVerdict::kExpectedFailure,
      CaseVerdict::kDisputed,       CaseVerdict::kSkipped};
  std::vector<std::string_view> groups;
  std::map<std::string_view, std::map<CaseVerdict, int>> counts;
  std::map<std::string, int> reasons;
  std::set<std::string> missing;  // without which cases are skipped
  int without = 0;
  for (const RunResult& result : report.results) {
    const std::string_view group = GroupOf(*result.run.the_case);
    if (counts.count(group) == 0) groups.push_back(group);
    ++counts[group][result.verdict];
    ++counts["all"][result.verdict];
    if (result.verdict != CaseVerdict::kSkipped) continue;
    if (result.missing.empty()) {
      ++reasons[result.reason];
      continue;
    }
    ++without;
    for (const Op op : result.missing) missing.emplace(Name(op));
  }
  groups.push_back("all");
  std::string text;
  for (const std::string_view group : groups) {
    std::vector<std::string> parts;
    for (const CaseVerdict each : kColumns) {
      const int count = counts[group][each];
      if (count == 0 && each != CaseVerdict::kPassed &&
          each != CaseVerdict::kFailed) {
        continue;
      }
      std::string word(Word(each));
      std::replace(word.begin(), word.end(), '_', ' ');
      std::string part = Format("{} {}", count, word);
      if (count > 0 && IsBad(each)) part = style.In(Colour::kError, part);
      parts.push_back(part);
    }
    text += Format("{:<14} {}\n", group, absl::StrJoin(parts, ", "));
  }
  if (without > 0) {
    text += Format("skipped {}: the plugin has no {}\n", without,
                   absl::StrJoin(missing, ", "));
  }
  for (const auto& [reason, count] : reasons) {
    text += Format("skipped {}: {}\n", count, Visible(reason));
  }
  if (report.results.empty()) {
    text +=
        "Nothing was tested: --only and --skip leave no case for this "
        "plugin.\n";
  }
  text += Format("seed {} (--seed repeats this run)\n", report.seed);
  return text;
}

}  // namespace fsload::conformance
