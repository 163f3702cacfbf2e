#include "tools/report/report_printer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
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

// A descriptor that programs started from here do not inherit.
int CopyOfStandardOutput() {
  constexpr int kMin = 3;
  return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, kMin);
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

OthersToStandardError::OthersToStandardError()
    : output_(CopyOfStandardOutput()) {
  FlushOutput().IgnoreError();  // the last flush reports it
  std::fflush(stdout);
  if (output_ >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
}

OthersToStandardError::~OthersToStandardError() {
  std::fflush(stdout);  // what plugins wrote through stdio
  if (output_ < 0) return;
  dup2(output_, STDOUT_FILENO);
  close(output_);
}

ReportPrinter::ReportPrinter(ReportFormat format)
    : format_(format), style_(StyleOfStandardOutput()) {
  if (format_ != ReportFormat::kText) others_.emplace();
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
  others_.reset();
  if (format_ == ReportFormat::kJson) Print(JsonDocument(reports_));
  if (format_ == ReportFormat::kJunit) Print(JunitDocument(reports_));
}

}  // namespace fsload
