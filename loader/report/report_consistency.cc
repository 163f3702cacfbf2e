#include "loader/report/report_consistency.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/tables/operations.h"
#include "loader/rules/findings.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Whether a rule that must be kept is broken by the plugin, or by this scheme.
bool Refused(const LoadReport& report, const SchemeReport& scheme) {
  return std::any_of(
      report.findings.begin(), report.findings.end(),
      [&](const Finding& finding) {
        return Describe(finding.rule).severity == Severity::kMust &&
               (!finding.of_scheme || finding.scheme == scheme.scheme);
      });
}

bool HasEachOpOnce(const SchemeReport& scheme) {
  std::vector<Op> all = scheme.present;
  all.insert(all.end(), scheme.by_default.begin(), scheme.by_default.end());
  all.insert(all.end(), scheme.unavailable.begin(), scheme.unavailable.end());
  std::vector<Op> known;
  for (const Operation& operation : kOperations) known.push_back(operation.op);
  return all.size() == known.size() &&
         std::is_permutation(all.begin(), all.end(), known.begin());
}

}  // namespace

std::string Contradiction(const LoadReport& report, bool loads) {
  if (!loads && (!report.schemes.empty() ||
                 (report.status.ok() && Refused(report, SchemeReport())))) {
    return "the report says that the plugin ran, or has a finding that refuses";
  }
  bool any_registered = false;
  for (const SchemeReport& scheme : report.schemes) {
    if (!scheme.registered) {
      if (report.status.ok() && !Refused(report, scheme)) {
        return Format(
            "the report is of success, without the scheme '{}' and without a "
            "reason",
            scheme.scheme);
      }
      continue;
    }
    any_registered = true;
    if (report.status.ok() && Refused(report, scheme)) {
      return Format(
          "the report is of success, and yet has a finding that refuses the "
          "scheme '{}'",
          scheme.scheme);
    }
    if (!scheme.tables[0].present || !HasEachOpOnce(scheme)) {
      return Format(
          "the scheme '{}' is registered without all of its operations",
          scheme.scheme);
    }
  }
  if (loads && report.status.ok() && !any_registered) {
    return "the report is of success, and without a scheme";
  }
  if (loads && report.status.ok() && !report.sealing.has_value()) {
    return "the report is of success, and without sealed tables";
  }
  if (!report.status.ok() && report.findings.empty()) {
    return "the report is of a refusal, and without a finding";
  }
  return "";
}

}  // namespace fsload
