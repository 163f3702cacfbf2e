#include "tools/report/plugin_report.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "core/system/sealed_region.h"
#include "core/tables/operations.h"
#include "core/tables/plugin_traits.h"
#include "loader/known_plugins/known_plugins.h"
#include "loader/known_plugins/usable_schemes.h"
#include "loader/report/load_report_text.h"
#include "loader/wheels/wheel_file.h"
#include "third_party/fmt/format.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

// In the order of Severity.
constexpr Colour kColours[] = {Colour::kError, Colour::kWarning, Colour::kNote};

// An operation's name; with its table's for cleanup and others that several
// tables have.
std::string Shown(Op op) {
  const Operation& operation = Describe(op);
  switch (operation.table) {
    case Table::kFilesystem:
      return std::string(operation.name);
    case Table::kRandomAccessFile:
      return Format("random_access_file.{}", operation.name);
    case Table::kWritableFile:
      return Format("writable_file.{}", operation.name);
    case Table::kReadOnlyMemoryRegion:
      return Format("memory_region.{}", operation.name);
  }
  return "";
}

// "    present      24  init cleanup ...": always wrapped, as lists are long.
std::string OperationsText(std::string_view title, const std::vector<Op>& ops,
                           const TextStyle& style) {
  constexpr size_t kIndent = 22;
  std::string line = Format("    {:<12} {:>3}", title, ops.size());
  std::string_view space = "  ";
  for (const Op op : ops) {
    line += space;
    line += Shown(op);
    space = " ";
  }
  return style.WrappedAlways(line, kIndent) + "\n";
}

// "TensorFlow 2.4", or why there are no numbers.
std::string ReleasesText(size_t bytes) {
  const std::string versions(TensorFlowVersions(bytes));
  const bool numbered = versions.front() >= '0' && versions.front() <= '9';
  return numbered ? "TensorFlow " + versions : versions;
}

std::string TableText(const TableShape& shape, const TableReport& table) {
  if (!table.present) return Format("    {:<27}  none\n", shape.name);
  std::string text =
      Format("    {:<27} {:>4} bytes  ABI {}  API {}", shape.name,
             table.declared_bytes, table.abi, table.api);
  if (shape.table == Table::kFilesystem) {
    text += "  " + ReleasesText(table.declared_bytes);
  }
  return text + "\n";
}

// "    disabled        rename_file copy_file: it ...", a line for each effect.
std::string DisabledText(const std::string& known_as,
                         const SchemeReport& scheme, const TextStyle& style) {
  constexpr size_t kIndent = 22;
  const PluginTraits traits = TraitsOf(known_as, scheme.scheme);
  std::map<std::string_view, std::string> ops_of;
  for (const Op op : scheme.disabled) {
    const char* const effect = WhyDisabled(traits, op);
    if (effect == nullptr) continue;
    std::string& ops = ops_of[effect];
    ops += (ops.empty() ? "" : " ") + std::string(Shown(op));
  }
  std::string text;
  for (const auto& [effect, ops] : ops_of) {
    text +=
        style.WrappedAlways(
            Format("    {:<16}  {}: {}", "disabled", ops, effect), kIndent) +
        "\n";
  }
  return text;
}

std::string SchemeText(const std::string& known_as, const SchemeReport& scheme,
                       const TextStyle& style) {
  std::string text = scheme.scheme.empty()
                         ? "  scheme '' (local paths)\n"
                         : Format("  scheme '{}'\n", Visible(scheme.scheme));
  for (const TableShape& shape : kTableShapes) {
    text += TableText(shape, scheme.tables[static_cast<size_t>(shape.table)]);
  }
  return text + OperationsText("present", scheme.present, style) +
         OperationsText("default", scheme.by_default, style) +
         OperationsText("unavailable", scheme.unavailable, style) +
         DisabledText(known_as, scheme, style);
}

bool Has(const LoadReport& report, RuleId rule) {
  return std::any_of(
      report.findings.begin(), report.findings.end(),
      [rule](const Finding& finding) { return finding.rule == rule; });
}

// Those that stubs replace; a check that ran nothing has only the finding.
bool LacksFunctions(const LoadReport& report) {
  return Has(report, RuleId::kNoStubs);
}

// Rules that another release breaks, too, or that are about this file's rights.
constexpr RuleId kOfAllReleases[] = {
    RuleId::kTensorFlowSymbols, RuleId::kFileNotWorldWritable,
    RuleId::kFolderNotWorldWritable, RuleId::kAllowed,
    RuleId::kAllowListReadable};

}  // namespace

std::string Verdict(const LoadReport& report) {
  if (!report.status.ok()) {
    const std::string package =
        IsWheelName(report.plugin) ? PackageOfWheel(report.plugin) : "";
    const bool is_of_all =
        std::any_of(std::begin(kOfAllReleases), std::end(kOfAllReleases),
                    [&](RuleId rule) { return Has(report, rule); });
    const std::string instead =
        is_of_all ? "" : InsteadText(report.plugin, package);
    return Format("refused{}{}", instead.empty() ? "" : "; ", instead);
  }
  std::vector<std::string> schemes;
  for (const SchemeReport& each : report.schemes) {
    schemes.push_back(each.scheme);
  }
  const std::string usable = UsableText(schemes, report.stubs);
  return Format("{}{}{}", LacksFunctions(report) ? "loads" : "verified",
                usable.empty() ? "" : "; ", usable);
}

std::string VerdictText(const LoadReport& report, const TextStyle& style) {
  const std::string verdict = Verdict(report);
  const size_t end = std::min(verdict.find(';'), verdict.size());
  const Colour colour = !report.status.ok()      ? Colour::kError
                        : LacksFunctions(report) ? Colour::kWarning
                                                 : Colour::kGood;
  return Format("{}: {}{}\n", Visible(report.plugin),
                style.In(colour, verdict.substr(0, end)),
                Visible(verdict.substr(end)));
}

std::string FindingsText(const LoadReport& report, const TextStyle& style) {
  constexpr std::string_view kMargin = "  ";
  constexpr size_t kIndent = 6;
  std::string text;
  for (const Finding& finding : report.findings) {
    const Severity severity = Describe(finding.rule).severity;
    const std::string_view word = Word(severity);
    const std::string line = style.Wrapped(
        Format("{}{} {}", kMargin, word, Visible(ToString(finding))), kIndent);
    // The first line starts with the word, however it is wrapped.
    text += Format("{}{}{}\n", kMargin,
                   style.In(kColours[static_cast<size_t>(severity)], word),
                   line.substr(kMargin.size() + word.size()));
  }
  return text;
}

std::string ContentsText(const LoadReport& report, const TextStyle& style) {
  constexpr size_t kIndent = 15;
  std::string text;
  if (!report.status_provider.empty()) {
    const std::string imports =
        report.imports.empty() ? "none" : absl::StrJoin(report.imports, " ");
    text += style.Wrapped("  imports      " + Visible(imports), kIndent);
    text +=
        Format("\n  TF_Status    from {}\n", Visible(report.status_provider));
  }
  if (report.sealing.has_value()) {
    text += Format("  tables       {}\n", Describe(*report.sealing));
  }
  for (const SchemeReport& scheme : report.schemes) {
    text += SchemeText(report.known_as, scheme, style);
  }
  return text;
}

std::string ConfinementText(const ConfinedReport& report,
                            const TextStyle& style) {
  constexpr size_t kIndent = 15;
  if (report.confinement.empty()) return "";
  return style.WrappedAlways("  confined     " + Visible(absl::StrJoin(
                                                     report.confinement, ", ")),
                             kIndent) +
         "\n";
}

std::string OutputText(const ConfinedReport& report) {
  constexpr size_t kMaxLines = 20;
  constexpr size_t kMaxColumns = 200;
  std::string text;
  std::string_view rest = report.output;
  size_t lines = 0;
  for (; !rest.empty() && lines < kMaxLines; ++lines) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    text += Format("  printed      {}{}\n",
                   Visible(rest.substr(0, std::min(end, kMaxColumns))),
                   end > kMaxColumns ? "..." : "");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (!rest.empty() || report.output_cut) {
    text += "  printed      ... (truncated)\n";
  }
  return text;
}

}  // namespace fsload
