#include "tools/report/junit_document.h"

#include <map>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "loader/report/load_report_text.h"
#include "loader/rules/findings.h"
#include "third_party/fmt/format.h"
#include "tools/report/junit_file.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

// A line for each finding, and how to repair it.
std::string Words(const std::vector<const Finding*>& findings) {
  std::string words;
  for (const Finding* const finding : findings) {
    words += Visible(ToString(*finding)) + "\n";
  }
  const Rule& rule = Describe(findings.front()->rule);
  return words + Format("repair: {}\n", rule.repair);
}

pugi::xml_node AddCase(pugi::xml_node suite, const LoadReport& report,
                       std::string_view name) {
  pugi::xml_node test_case = suite.append_child("testcase");
  SetVisible(test_case, "classname", report.plugin);
  SetVisible(test_case, "name", name);
  return test_case;
}

// False unless the rule is one that refuses.
bool AddRule(pugi::xml_node suite, const LoadReport& report,
             const std::vector<const Finding*>& findings) {
  const Rule& rule = Describe(findings.front()->rule);
  const std::string name = Name(rule.id);
  pugi::xml_node test_case =
      AddCase(suite, report, Format("{} {}", name, rule.title));
  const bool refuses = rule.severity == Severity::kMust;
  pugi::xml_node outcome =
      test_case.append_child(refuses ? "failure" : "system-out");
  std::string words = Words(findings);
  if (refuses) {
    SetVisible(outcome, "type", name);
    SetVisible(outcome, "message", findings.front()->message);
  } else {
    words.insert(0, Format("{}: ", Word(rule.severity)));
  }
  outcome.text().set(words.c_str());
  return !refuses;
}

struct Counts {
  int cases = 0;
  int failures = 0;
  int errors = 0;

  void Add(const Counts& other) {
    cases += other.cases;
    failures += other.failures;
    errors += other.errors;
  }

  void Write(pugi::xml_node node) const {
    node.append_attribute("tests") = cases;
    node.append_attribute("failures") = failures;
    node.append_attribute("errors") = errors;
  }
};

Counts AddSuite(pugi::xml_node suites, const LoadReport& report) {
  pugi::xml_node suite = suites.append_child("testsuite");
  SetVisible(suite, "name", report.plugin);
  std::map<RuleId, std::vector<const Finding*>> broken;
  for (const Finding& finding : report.findings) {
    broken[finding.rule].push_back(&finding);
  }
  Counts counts;
  for (const auto& [rule, findings] : broken) {
    ++counts.cases;
    if (!AddRule(suite, report, findings)) ++counts.failures;
  }
  if (report.status.ok()) {
    ++counts.cases;
    AddCase(suite, report, "verified");
  } else if (counts.failures == 0) {
    // No rule is the reason.
    ++counts.cases;
    ++counts.errors;
    pugi::xml_node error =
        AddCase(suite, report, "checked").append_child("error");
    SetVisible(error, "message", std::string(report.status.message()));
  }
  counts.Write(suite);
  return counts;
}

}  // namespace

std::string JunitDocument(absl::Span<const ConfinedReport> reports) {
  const JunitFile file("fsload check");
  Counts counts;
  for (const ConfinedReport& report : reports) {
    counts.Add(AddSuite(file.suites(), report.load));
  }
  counts.Write(file.suites());
  return file.Text();
}

}  // namespace fsload
