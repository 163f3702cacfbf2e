#include "tools/report/report_printer.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "third_party/fmt/format.h"
#include "tools/report/json_document.h"
#include "tools/report/junit_document.h"
#include "tools/report/plugin_report.h"
#include "tools/text/output.h"

namespace fsload {
namespace {

struct FormatName {
  std::string_view name;
  ReportFormat format;
};

constexpr FormatName kFormats[] = {{"text", ReportFormat::kText},
                                   {"json", ReportFormat::kJson},
                                   {"junit", ReportFormat::kJunit}};

ReportFormat FormatOf(std::string_view name) {
  return std::find_if(
             std::begin(kFormats), std::end(kFormats),
             [name](const FormatName& each) { return each.name == name; })
      ->format;
}

}  // namespace

void AddFormat(CLI::App& command, ReportFormat& format, bool with_junit) {
  std::vector<std::string> names;
  for (const FormatName& each : kFormats) {
    if (each.format == ReportFormat::kJunit && !with_junit) continue;
    names.emplace_back(each.name);
  }
  const std::string choices = Format("{{{}}}", absl::StrJoin(names, ","));
  const auto take = [&format, names](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return Format("'{}' is not one of {}", name, absl::StrJoin(names, ", "));
    }
    format = FormatOf(name);
    return std::string();
  };
  AddTaken(command, "--format", take, choices, "Output format (default: text)");
}

ReportPrinter::ReportPrinter(ReportFormat format)
    : format_(format), style_(StyleOfStandardOutput()) {
  if (format_ != ReportFormat::kText) SendOthersToStandardError();
}

void ReportPrinter::Add(ConfinedReport report) {
  if (format_ != ReportFormat::kText) {
    reports_.push_back(std::move(report));
    return;
  }
  Print(VerdictText(report.load, style_) + FindingsText(report.load, style_) +
        OutputText(report) + ConfinementText(report, style_) +
        ContentsText(report.load, style_));
  // The next plugin may take long or, in this process, end it. A write error is
  // remembered.
  FlushOutput().IgnoreError();
}

void ReportPrinter::AddUntried(ConfinedReport report) {
  if (format_ != ReportFormat::kText) reports_.push_back(std::move(report));
}

void ReportPrinter::Remark(std::string_view text) {
  if (format_ == ReportFormat::kText) Print(text);
}

void ReportPrinter::Finish() {
  if (format_ == ReportFormat::kJson) Print(JsonDocument(reports_));
  if (format_ == ReportFormat::kJunit) Print(JunitDocument(reports_));
}

}  // namespace fsload
