#include "tools/conformance/documents.h"

#include <map>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "third_party/fmt/format.h"
#include "tools/report/json_document.h"
#include "tools/report/junit_file.h"
#include "tools/text/visible_text.h"

namespace fsload::conformance {
namespace {

using OrderedJson = nlohmann::ordered_json;

const char* Verdict(const ConformanceReport& report) {
  switch (ConclusionOf(report)) {
    case Conclusion::kConforms:
      return "conforms";
    case Conclusion::kFailed:
      return "failed";
    case Conclusion::kNothingTested:
      return "nothing_tested";
  }
  return "";
}

std::string Joined(const std::vector<std::string>& lines) {
  return absl::StrJoin(lines, "\n");
}

void AddCase(pugi::xml_node suite, const RunResult& result) {
  pugi::xml_node node = suite.append_child("testcase");
  SetVisible(node, "classname", GroupOf(*result.run.the_case));
  SetVisible(node, "name", result.run.Name());
  node.append_attribute("time") = result.seconds;
  if (result.verdict == CaseVerdict::kPassed) return;
  if (!IsBad(result.verdict)) {
    pugi::xml_node skipped = node.append_child("skipped");
    SetVisible(skipped, "message",
               result.reason.empty()
                   ? std::string(Word(result.verdict))
                   : Format("{}: {}", Word(result.verdict), result.reason));
    return;
  }
  const bool died = HasDied(result.verdict);
  pugi::xml_node failure = node.append_child(died ? "error" : "failure");
  SetVisible(failure, "type", RuleName(*result.run.the_case));
  SetVisible(failure, "message",
             result.failures.empty() ? result.reason : result.failures.front());
  failure.text().set(
      VisibleLines(Joined(result.failures) + "\n" + Joined(result.calls))
          .c_str());
}

absl::StatusOr<std::map<std::string, std::string>> VerdictsIn(
    const ReadDocument& document) {
  const OrderedJson json =
      OrderedJson::parse(document.text, nullptr, /*allow_exceptions=*/false);
  const absl::Status not_ours = InvalidArgumentError(
      "{}: not a document written by `fsload conformance --format=json`",
      document.path);
  if (!json.is_object() || !json.contains("results") ||
      !json["results"].is_array() ||
      json.value("schema_version", OrderedJson()) != kConformanceSchema) {
    return not_ours;
  }
  std::map<std::string, std::string> verdicts;
  for (const OrderedJson& result : json["results"]) {
    if (!result.is_object() || !result.contains("name") ||
        !result["name"].is_string() || !result.contains("verdict") ||
        !result["verdict"].is_string()) {
      return not_ours;
    }
    verdicts[result["name"]] = result["verdict"];
  }
  return verdicts;
}

}  // namespace

std::string ConformanceJson(const ConformanceReport& report) {
  OrderedJson results = OrderedJson::array();
  std::map<std::string, int> counts;
  for (const RunResult& result : report.results) {
    const Case& the_case = *result.run.the_case;
    ++counts[std::string(Word(result.verdict))];
    results.push_back({{"name", result.run.Name()},
                       {"case", the_case.name},
                       {"rule", RuleName(the_case)},
                       {"title", the_case.title},
                       {"lines", the_case.lines},
                       {"level", the_case.level},
                       {"verdict", Word(result.verdict)},
                       {"reason", result.reason},
                       {"failures", result.failures},
                       {"calls", result.calls},
                       {"sequence", result.sequence},
                       {"printed", result.printed},
                       {"left_behind", result.left_behind},
                       {"seconds", result.seconds}});
  }
  return JsonText({{"schema_version", kConformanceSchema},
                   {"verdict", Verdict(report)},
                   {"plugin", report.plugin},
                   {"root", report.root},
                   {"profile", report.profile},
                   {"level", report.level},
                   {"seed", report.seed},
                   {"counts", counts},
                   {"results", results}});
}

std::string ConformanceJunit(const ConformanceReport& report) {
  const JunitFile file("fsload conformance");
  pugi::xml_node suite = file.suites().append_child("testsuite");
  SetVisible(suite, "name", report.plugin);
  int failures = 0;
  int errors = 0;
  int skipped = 0;
  for (const RunResult& result : report.results) {
    AddCase(suite, result);
    if (HasDied(result.verdict)) {
      ++errors;
    } else if (IsBad(result.verdict)) {
      ++failures;
    } else if (result.verdict != CaseVerdict::kPassed) {
      ++skipped;
    }
  }
  for (pugi::xml_node node : {suite, file.suites()}) {
    node.append_attribute("tests") = report.results.size();
    node.append_attribute("failures") = failures;
    node.append_attribute("errors") = errors;
    node.append_attribute("skipped") = skipped;
  }
  return file.Text();
}

absl::StatusOr<std::string> CompareConformance(const ReadDocument& before,
                                               const ReadDocument& after,
                                               bool& changed) {
  const auto old_verdicts = VerdictsIn(before);
  if (!old_verdicts.ok()) return old_verdicts.status();
  const auto new_verdicts = VerdictsIn(after);
  if (!new_verdicts.ok()) return new_verdicts.status();
  std::string text;
  size_t same = 0;
  for (const auto& [name, verdict] : *new_verdicts) {
    const auto old_verdict = old_verdicts->find(name);
    if (old_verdict == old_verdicts->end()) {
      text += Format("{}: new, {}\n", Visible(name), Visible(verdict));
    } else if (old_verdict->second != verdict) {
      text += Format("{}: {} before, {} after\n", Visible(name),
                     Visible(old_verdict->second), Visible(verdict));
    } else {
      ++same;
    }
  }
  for (const auto& [name, verdict] : *old_verdicts) {
    if (new_verdicts->count(name) == 0) {
      text += Format("{}: {} before, not run after\n", Visible(name),
                     Visible(verdict));
    }
  }
  changed = !text.empty();
  return text + Format("{} results are the same\n", same);
}

}  // namespace fsload::conformance
