#include "loader/report_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/operations.h"

namespace fsload {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kTableKeys[kTables] = {
    "filesystem", "random_access_file", "writable_file",
    "read_only_memory_region"};

constexpr std::string_view kSeverities[] = {"must", "should", "note"};
constexpr std::string_view kTiers[] = {"sealed_mapping", "sealed_file",
                                       "protected"};

// Text of a plugin's may be no UTF-8, which JSON has to be.
Json Text(const std::string& text) {
  return Json::parse(
      Json(text).dump(-1, ' ', true, Json::error_handler_t::replace));
}

// "writable_file.append": the name of an operation that no other has.
std::string OpName(Op op) {
  const Operation& operation = Describe(op);
  return std::string(kTableKeys[static_cast<size_t>(operation.table)]) + "." +
         std::string(operation.name);
}

Json OpNames(const std::vector<Op>& ops) {
  Json names = Json::array();
  for (const Op op : ops) names.push_back(OpName(op));
  return names;
}

std::vector<Op> OpsFrom(const Json& names) {
  std::vector<Op> ops;
  for (const Json& name : names) {
    for (const Operation& operation : kOperations) {
      if (OpName(operation.op) == name) ops.push_back(operation.op);
    }
  }
  return ops;
}

Json ToJson(const Finding& finding) {
  const Rule& rule = Describe(finding.rule);
  Json json = {
      {"rule", Name(finding.rule)},
      {"severity", kSeverities[static_cast<size_t>(rule.severity)]},
      {"title", rule.title},
      {"clause", rule.clause},
      {"message", Text(finding.message)},
  };
  if (finding.of_scheme) json["scheme"] = Text(finding.scheme);
  return json;
}

Finding FindingFrom(const Json& json) {
  const std::string rule = json.at("rule");
  const bool of_scheme = json.contains("scheme");
  return {RuleOf(std::stoi(rule.substr(3))).value(),
          of_scheme ? json.at("scheme").get<std::string>() : "", of_scheme,
          json.at("message")};
}

Json ToJson(const SchemeReport& scheme) {
  Json tables;
  for (size_t i = 0; i < kTables; ++i) {
    const TableReport& table = scheme.tables[i];
    tables[std::string(kTableKeys[i])] = {{"present", table.present},
                                          {"bytes", table.declared_bytes},
                                          {"abi", table.abi},
                                          {"api", table.api}};
  }
  return {
      {"scheme", Text(scheme.scheme)},
      {"registered", scheme.registered},
      {"tensorflow", TensorFlowVersions(scheme.tables[0].declared_bytes)},
      {"tables", tables},
      {"present", OpNames(scheme.present)},
      {"default", OpNames(scheme.by_default)},
      {"unavailable", OpNames(scheme.unavailable)},
  };
}

SchemeReport SchemeFrom(const Json& json) {
  SchemeReport scheme;
  scheme.scheme = json.at("scheme");
  scheme.registered = json.at("registered");
  for (size_t i = 0; i < kTables; ++i) {
    const Json& table = json.at("tables").at(std::string(kTableKeys[i]));
    scheme.tables[i] = {table.at("present"), table.at("bytes"), table.at("abi"),
                        table.at("api")};
  }
  scheme.present = OpsFrom(json.at("present"));
  scheme.by_default = OpsFrom(json.at("default"));
  scheme.unavailable = OpsFrom(json.at("unavailable"));
  return scheme;
}

LoadReport ReportFrom(const Json& json) {
  LoadReport report;
  report.plugin = json.at("plugin");
  const Json& status = json.at("status");
  report.status =
      absl::Status(static_cast<absl::StatusCode>(status.at("code").get<int>()),
                   status.at("message").get<std::string>());
  report.loaded_before = json.at("loaded_before");
  for (const Json& finding : json.at("findings")) {
    report.findings.push_back(FindingFrom(finding));
  }
  for (const Json& scheme : json.at("schemes")) {
    report.schemes.push_back(SchemeFrom(scheme));
  }
  for (size_t i = 0; i < std::size(kTiers); ++i) {
    if (json.at("sealing") == kTiers[i]) {
      report.sealing = static_cast<SealingTier>(i);
    }
  }
  report.imports = json.at("imports").get<std::vector<std::string>>();
  report.status_provider = json.at("status_provider");
  return report;
}

}  // namespace

Json ToJson(const LoadReport& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) {
    findings.push_back(ToJson(finding));
  }
  Json schemes = Json::array();
  for (const SchemeReport& scheme : report.schemes) {
    schemes.push_back(ToJson(scheme));
  }
  return {
      {"plugin", Text(report.plugin)},
      {"verified", report.status.ok()},
      {"status",
       {{"code", static_cast<int>(report.status.code())},
        {"message", Text(std::string(report.status.message()))}}},
      {"loaded_before", report.loaded_before},
      {"findings", findings},
      {"schemes", schemes},
      {"sealing", report.sealing.has_value()
                      ? Json(kTiers[static_cast<size_t>(*report.sealing)])
                      : Json()},
      {"imports", report.imports},
      {"status_provider", Text(report.status_provider)},
  };
}

std::optional<LoadReport> ReportFromJson(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return std::nullopt;
  try {
    return ReportFrom(json);
  } catch (const std::exception&) {  // a part that is missing or another type
    return std::nullopt;
  }
}

}  // namespace fsload
