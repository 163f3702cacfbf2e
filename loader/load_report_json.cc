#include "loader/load_report_json.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/operations.h"
#include "core/sealed_region.h"
#include "loader/rules.h"

namespace fsload {
namespace {

using Json = nlohmann::ordered_json;

// Each in the order of its enum.
constexpr std::string_view kTableKeys[kTables] = {
    "filesystem", "random_access_file", "writable_file",
    "read_only_memory_region"};
constexpr std::string_view kSeverities[] = {"must", "should", "note"};
constexpr std::string_view kTiers[] = {"sealed_mapping", "sealed_file",
                                       "protected"};

std::string_view KeyOf(Table table) {
  return kTableKeys[static_cast<size_t>(table)];
}

// "writable_file.append": the name of an operation that no other has.
std::string OpName(Op op) {
  const Operation& operation = Describe(op);
  return std::string(KeyOf(operation.table)) + "." +
         std::string(operation.name);
}

Json OpNames(const std::vector<Op>& ops) {
  Json names = Json::array();
  for (const Op op : ops) names.push_back(OpName(op));
  return names;
}

Json FindingJson(const Finding& finding) {
  const Rule& rule = Describe(finding.rule);
  Json json = {{"rule", Name(finding.rule)},
               {"severity", kSeverities[static_cast<size_t>(rule.severity)]},
               {"title", rule.title},
               {"clause", rule.clause}};
  if (finding.of_scheme) json["scheme"] = finding.scheme;
  if (finding.table.has_value()) json["table"] = KeyOf(*finding.table);
  if (finding.op.has_value()) json["op"] = OpName(*finding.op);
  json["message"] = finding.message;
  json["repair"] = rule.repair;
  return json;
}

Json SchemeJson(const SchemeReport& scheme) {
  Json tables;
  for (const TableShape& shape : kTableShapes) {
    const TableReport& table = scheme.tables[static_cast<size_t>(shape.table)];
    tables[std::string(KeyOf(shape.table))] = {{"present", table.present},
                                               {"bytes", table.declared_bytes},
                                               {"abi", table.abi},
                                               {"api", table.api}};
  }
  return {{"scheme", scheme.scheme},
          {"registered", scheme.registered},
          {"tensorflow", TensorFlowVersions(scheme.tables[0].declared_bytes)},
          {"tables", tables},
          {"present", OpNames(scheme.present)},
          {"default", OpNames(scheme.by_default)},
          {"unavailable", OpNames(scheme.unavailable)}};
}

template <typename Item>
Json ArrayOf(const std::vector<Item>& items, Json (*convert)(const Item&)) {
  Json array = Json::array();
  for (const Item& item : items) array.push_back(convert(item));
  return array;
}

}  // namespace

Json PluginJson(const LoadReport& report) {
  const absl::Status& status = report.status;
  Json sealing;
  if (report.sealing.has_value()) {
    sealing = kTiers[static_cast<size_t>(*report.sealing)];
  }
  return {{"plugin", report.plugin},
          {"verdict", status.ok() ? "verified" : "refused"},
          {"status",
           {{"code", static_cast<int>(status.code())},
            {"name", absl::StatusCodeToString(status.code())},
            {"message", std::string(status.message())}}},
          {"loaded_before", report.loaded_before},
          {"findings", ArrayOf(report.findings, &FindingJson)},
          {"schemes", ArrayOf(report.schemes, &SchemeJson)},
          {"sealing", sealing},
          {"imports", report.imports},
          {"status_provider", report.status_provider}};
}

}  // namespace fsload
