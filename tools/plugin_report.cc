#include "tools/plugin_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "core/operations.h"
#include "core/sealed_region.h"

namespace fsload {
namespace {

std::string_view Word(Severity severity) {
  switch (severity) {
    case Severity::kMust:
      return "error";
    case Severity::kShould:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "";
}

// An operation's name; cleanup and the like with their table, for three have
// one.
std::string Shown(Op op) {
  const Operation& operation = Describe(op);
  switch (operation.table) {
    case Table::kFilesystem:
      return std::string(operation.name);
    case Table::kRandomAccessFile:
      return fmt::format("random_access_file.{}", operation.name);
    case Table::kWritableFile:
      return fmt::format("writable_file.{}", operation.name);
    case Table::kReadOnlyMemoryRegion:
      return fmt::format("memory_region.{}", operation.name);
  }
  return "";
}

// `title` and `words`, with a space behind each, in lines of 80 columns that
// are indented as far as the title reaches.
std::string Wrapped(const std::string& title,
                    const std::vector<std::string>& words) {
  constexpr size_t kWidth = 80;
  std::string text;
  std::string line = title;
  for (const std::string& word : words) {
    if (line.size() + word.size() + 1 > kWidth && line.size() > title.size()) {
      line.pop_back();
      text += line + "\n";
      line = std::string(title.size(), ' ');
    }
    line += word + " ";
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return text + line + "\n";
}

// "    present      24  init cleanup ...".
std::string OperationsText(std::string_view title, const std::vector<Op>& ops) {
  std::vector<std::string> names;
  for (const Op op : ops) names.push_back(Shown(op));
  return Wrapped(fmt::format("    {:<12} {:>3}  ", title, ops.size()), names);
}

// Without what a terminal would obey; bytes of UTF-8 stay.
std::string Printable(std::string_view line) {
  std::string text;
  for (const char byte : line) {
    const bool control =
        (byte >= 0 && byte < ' ' && byte != '\t') || byte == 127;
    text += control ? fmt::format("\\x{:02x}", byte) : std::string(1, byte);
  }
  return text;
}

std::string TableText(const TableShape& shape, const TableReport& table) {
  if (!table.present) return fmt::format("    {:<27}  none\n", shape.name);
  std::string text =
      fmt::format("    {:<27} {:>4} bytes  ABI {}  API {}", shape.name,
                  table.declared_bytes, table.abi, table.api);
  if (shape.table == Table::kFilesystem) {
    text += fmt::format("  TensorFlow {}",
                        TensorFlowVersions(table.declared_bytes));
  }
  return text + "\n";
}

std::string SchemeText(const SchemeReport& scheme) {
  std::string text = scheme.scheme.empty()
                         ? "  scheme '' (local paths)\n"
                         : fmt::format("  scheme '{}'\n", scheme.scheme);
  for (const TableShape& shape : kTableShapes) {
    text += TableText(shape, scheme.tables[static_cast<size_t>(shape.table)]);
  }
  return text + OperationsText("present", scheme.present) +
         OperationsText("default", scheme.by_default) +
         OperationsText("unavailable", scheme.unavailable);
}

}  // namespace

std::string FindingsText(const LoadReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    text += fmt::format("  {} {}\n", Word(Describe(finding.rule).severity),
                        ToString(finding));
  }
  return text;
}

std::string ContentsText(const LoadReport& report) {
  std::string text;
  if (!report.status_provider.empty()) {
    text += fmt::format(
        "  imports      {}\n  TF_Status    of {}\n",
        report.imports.empty() ? "none" : absl::StrJoin(report.imports, " "),
        report.status_provider);
  }
  if (report.sealing.has_value()) {
    text += fmt::format("  tables       {}\n", Describe(*report.sealing));
  }
  for (const SchemeReport& scheme : report.schemes) text += SchemeText(scheme);
  return text;
}

std::string ConfinementText(const ConfinedReport& report) {
  if (report.confinement.empty()) return "";
  return Wrapped("  confined     ",
                 absl::StrSplit(absl::StrJoin(report.confinement, ", "), ' '));
}

std::string OutputText(const ConfinedReport& report) {
  constexpr size_t kMostLines = 20;
  constexpr size_t kMostColumns = 200;
  std::string text;
  std::string_view rest = report.output;
  size_t lines = 0;
  for (; !rest.empty() && lines < kMostLines; ++lines) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    text += fmt::format("  printed      {}{}\n",
                        Printable(rest.substr(0, std::min(end, kMostColumns))),
                        end > kMostColumns ? "..." : "");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (!rest.empty() || report.output_cut) {
    text += "  printed      ... and more, which is not shown\n";
  }
  return text;
}

}  // namespace fsload
