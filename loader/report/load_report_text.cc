#include "loader/report/load_report_text.h"

#include <string>
#include <string_view>

#include "loader/report/visible_text.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// In the order of Severity.
constexpr std::string_view kSeverityWords[] = {"error", "warning", "note"};

}  // namespace

std::string_view Word(Severity severity) {
  return kSeverityWords[static_cast<size_t>(severity)];
}

std::string ReportText(const LoadReport& report) {
  std::string text = Format("{}: {}\n", Visible(report.plugin),
                            report.status.ok() ? "verified" : "refused");
  for (const Finding& finding : report.findings) {
    text += Format("  {} {}\n", Word(Describe(finding.rule).severity),
                   Visible(ToString(finding)));
  }
  return text;
}

}  // namespace fsload
