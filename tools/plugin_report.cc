#include "tools/plugin_report.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
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

// "    present      24  init cleanup ...", wrapped.
std::string OperationsText(std::string_view title, const std::vector<Op>& ops) {
  constexpr size_t kWidth = 80;
  constexpr size_t kIndent = 22;
  std::string text;
  std::string line = fmt::format("    {:<12} {:>3}  ", title, ops.size());
  for (const Op op : ops) {
    const std::string name = Shown(op) + " ";
    if (line.size() + name.size() > kWidth && line.size() > kIndent) {
      text += line + "\n";
      line = std::string(kIndent, ' ');
    }
    line += name;
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return text + line + "\n";
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

}  // namespace fsload
