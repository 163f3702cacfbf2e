#include "loader/c_api/report.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "loader/c_api/boundary.h"
#include "loader/c_api/strings.h"
#include "loader/confined_load/confined_report_json.h"
#include "loader/report/load_report_text.h"

// Everything is made at once, so that threads may share it.
struct fsload_report {
  struct Scheme {
    fsload_strings own;
    fsload_strings by_default;
    fsload_strings missing;
    fsload_scheme shown;
  };

  explicit fsload_report(fsload::ConfinedReport given);

  fsload::ConfinedReport report;
  std::string message;
  std::vector<std::string> rules;  // the numbers of the findings
  std::vector<fsload_finding> findings;
  std::vector<std::unique_ptr<Scheme>> schemes;
  std::string text;
  std::string json;
};

namespace fsload {
namespace {

// Titles and repairs are literals, which end in a null byte.
fsload_finding ShownFinding(const Finding& finding, const std::string& rule) {
  const Rule& broken = Describe(finding.rule);
  fsload_finding shown = {};
  shown.struct_size = sizeof(shown);
  shown.rule = rule.c_str();
  shown.title = broken.title.data();
  shown.scheme = finding.of_scheme ? finding.scheme.c_str() : nullptr;
  shown.message = finding.message.c_str();
  shown.repair = broken.repair.data();
  shown.severity = static_cast<fsload_severity>(broken.severity);
  if (finding.numbers.has_value()) {
    shown.has_numbers = 1;
    shown.wanted = finding.numbers->wanted;
    shown.found = finding.numbers->found;
  }
  return shown;
}

fsload_strings NamesOf(const std::vector<Op>& ops) {
  fsload_strings names;
  for (const Op op : ops) names.strings.emplace_back(FullName(op));
  return names;
}

std::unique_ptr<fsload_report::Scheme> ShownScheme(const SchemeReport& scheme) {
  auto shown = std::make_unique<fsload_report::Scheme>(
      fsload_report::Scheme{NamesOf(scheme.present),
                            NamesOf(scheme.by_default),
                            NamesOf(scheme.unavailable),
                            {}});
  shown->shown = {sizeof(fsload_scheme), scheme.scheme.c_str(),
                  &shown->own,           &shown->by_default,
                  &shown->missing,       scheme.registered ? 1 : 0};
  return shown;
}

std::string JsonOf(const ConfinedReport& report) {
  return PluginJson(report).dump(
      -1, ' ', /*ensure_ascii=*/true,
      nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

absl::Status HandOver(ConfinedReport report, fsload_report** target) {
  absl::Status status = report.load.status;
  if (target != nullptr) *target = new fsload_report(std::move(report));
  return status;
}

}  // namespace fsload

fsload_report::fsload_report(fsload::ConfinedReport given)
    : report(std::move(given)),
      message(report.load.status.message()),
      text(fsload::ReportText(report.load)),
      json(fsload::JsonOf(report)) {
  for (const fsload::Finding& finding : report.load.findings) {
    rules.push_back(Name(finding.rule));
  }
  for (size_t i = 0; i < rules.size(); ++i) {
    findings.push_back(fsload::ShownFinding(report.load.findings[i], rules[i]));
  }
  for (const fsload::SchemeReport& scheme : report.load.schemes) {
    schemes.push_back(fsload::ShownScheme(scheme));
  }
}

fsload_code fsload_report_code(const fsload_report* report) {
  return report == nullptr ? FSLOAD_INVALID_ARGUMENT
                           : fsload::CodeOf(report->report.load.status);
}

const char* fsload_report_message(const fsload_report* report) {
  return report == nullptr ? "" : report->message.c_str();
}

const char* fsload_report_plugin(const fsload_report* report) {
  return report == nullptr ? "" : report->report.load.plugin.c_str();
}

size_t fsload_report_finding_count(const fsload_report* report) {
  return report == nullptr ? 0 : report->findings.size();
}

const fsload_finding* fsload_report_finding(const fsload_report* report,
                                            size_t index) {
  return index < fsload_report_finding_count(report) ? &report->findings[index]
                                                     : nullptr;
}

size_t fsload_report_scheme_count(const fsload_report* report) {
  return report == nullptr ? 0 : report->schemes.size();
}

const fsload_scheme* fsload_report_scheme(const fsload_report* report,
                                          size_t index) {
  return index < fsload_report_scheme_count(report)
             ? &report->schemes[index]->shown
             : nullptr;
}

const char* fsload_report_text(const fsload_report* report) {
  return report == nullptr ? "" : report->text.c_str();
}

const char* fsload_report_json(const fsload_report* report) {
  return report == nullptr ? "" : report->json.c_str();
}

void fsload_report_free(fsload_report* report) { delete report; }
