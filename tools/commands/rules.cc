// fsload rules, fsload explain: which rules must a plugin follow?
#include "fsload/rules.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loader/conformance/case.h"
#include "loader/conformance/cases/cases.h"
#include "third_party/fmt/format.h"
#include "tools/cli/nearest_word.h"
#include "tools/cli/operands.h"
#include "tools/commands/commands.h"
#include "tools/text/interface_lines.h"
#include "tools/text/output.h"

namespace fsload {
namespace {

using conformance::Case;

std::string_view Word(Severity severity) {
  switch (severity) {
    case Severity::kMust:
      return "MUST";
    case Severity::kShould:
      return "SHOULD";
    case Severity::kNote:
      return "note";
  }
  return "";
}

std::string Line(const Rule& rule) {
  return Format("{}  {:<6}  {}", Name(rule.id), Word(rule.severity),
                rule.title);
}

std::string Line(const Case& behaviour) {
  return Format("{}  level {}  {}", RuleName(behaviour), behaviour.level,
                behaviour.title);
}

std::string SourceLine(std::string_view clause) {
  return clause.empty() ? ""
                        : Format("  source  {} of {}\n", LinesText(clause),
                                 kInterfaceHeader);
}

std::string Explanation(const Rule& rule) {
  return Format("{}\n{}  why     {}\n  repair  {}\n", Line(rule),
                SourceLine(rule.clause), rule.why, rule.repair);
}

std::string Explanation(const Case& behaviour) {
  const bool disputed = (behaviour.traits & conformance::kDisputed) != 0;
  return Format("{}\n{}  why     {}\n  repair  {}\n  case    {}{}\n",
                Line(behaviour), SourceLine(behaviour.lines), behaviour.why,
                behaviour.repair, behaviour.name,
                disputed ? ", disputed: reported, but not a failure" : "");
}

// docs/rules.md, which a test compares with this.
std::string Markdown() {
  std::string text = Format(
      "# Rules\n\nThe rules that `fsload check` checks a plugin against. This "
      "page is the output of\n`fsload rules --markdown`, generated from the "
      "table in `loader/rules/rule_table.cc`.\nBreaking a MUST rule gets the "
      "plugin, or one of its schemes, refused; breaking a\nSHOULD rule is a "
      "warning. {}\n\n| rule | | requirement | lines | "
      "why | repair |\n|---|---|---|---|---|---|\n",
      InterfaceLinesNote());
  for (const Rule& rule : AllRules()) {
    text += Format("| {} | {} | {} | {} | {} | {} |\n", Name(rule.id),
                   Word(rule.severity), rule.title, rule.clause, rule.why,
                   rule.repair);
  }
  text +=
      "\n## Behaviour\n\nThe cases of `fsload conformance` "
      "([conformance.md](conformance.md)), from the tables in\n"
      "`loader/conformance/cases`. `--level N` runs those of level N and "
      "below; disputed\ncases are reported, but are not failures.\n\n"
      "| rule | level | requirement | lines | why | repair | case "
      "|\n|---|---|---|---|---|---|---|\n";
  for (const Case& each : conformance::AllCases()) {
    text +=
        Format("| {} | {}{} | {} | {} | {} | {} | `{}` |\n", RuleName(each),
               each.level,
               (each.traits & conformance::kDisputed) != 0 ? ", disputed" : "",
               each.title, each.lines, each.why, each.repair, each.name);
  }
  return text;
}

// "FSP107" for "FSP107", "fsp107" or "107".
std::string WholeName(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  if (name.compare(0, 3, "FSP") != 0) name.insert(0, "FSP");
  return name;
}

// Null if there is no such rule.
const Rule* Find(const std::string& name) {
  for (const Rule& rule : AllRules()) {
    if (Name(rule.id) == WholeName(name)) return &rule;
  }
  return nullptr;
}

const Case* FindBehaviour(const std::string& name) {
  for (const Case& each : conformance::AllCases()) {
    if (RuleName(each) == WholeName(name) || each.name == name) return &each;
  }
  return nullptr;
}

absl::Status UnknownRule(const std::string& name) {
  std::vector<std::string> names;
  for (const Rule& rule : AllRules()) names.emplace_back(Name(rule.id));
  for (const Case& each : conformance::AllCases()) {
    names.push_back(RuleName(each));
  }
  const std::string nearest = NearestWord(WholeName(name), names);
  return InvalidArgumentError(
      "unknown rule '{}'; {}`fsload rules` lists all rules", name,
      nearest.empty() ? "" : Format("did you mean {}? ", nearest));
}

int Explain(const std::vector<std::string>& names) {
  int exit_code = kVerified;
  for (const std::string& name : names) {
    const Rule* const rule = Find(name);
    if (rule != nullptr) {
      Print(Explanation(*rule));
      continue;
    }
    if (const Case* const behaviour = FindBehaviour(name)) {
      Print(Explanation(*behaviour));
      continue;
    }
    PrintError(UnknownRule(name));
    exit_code = kUsage;
  }
  return exit_code;
}

int ListRules(bool markdown) {
  if (markdown) {
    Print(Markdown());
    return kVerified;
  }
  for (const Rule& rule : AllRules()) {
    Print(Line(rule) + InterfaceLinesText(rule.clause) + "\n");
  }
  for (const Case& each : conformance::AllCases()) {
    Print(Line(each) + InterfaceLinesText(each.lines) + "\n");
  }
  return kVerified;
}

}  // namespace

void AddRules(CLI::App& app, int& exit_code) {
  const auto markdown = std::make_shared<bool>(false);
  CLI::App* const list = AddCommand(
      app, "rules", "List the rules that plugins are checked against",
      [=, &exit_code] { exit_code = ListRules(*markdown); });
  AddFlag(*list, "--markdown", *markdown,
          "Print the rules as Markdown, as in docs/rules.md");
  SetFooter(*list, InterfaceLinesNote());

  const auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* const explain =
      AddCommand(app, "explain", "Explain a rule and how to comply with it",
                 [=, &exit_code] { exit_code = Explain(*names); });
  AddOperands(*explain, "rule", "Rule number, such as FSP107",
              {1, SIZE_MAX, nullptr}, *names);
}

}  // namespace fsload
