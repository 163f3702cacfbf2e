#include "loader/report/load_report_json.h"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "core/system/sealed_region.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "loader/rules/findings.h"

namespace fsload {
namespace {

using Json = nlohmann::ordered_json;

// Its keys are found without looking at all others: a text may have millions.
using ParsedJson = nlohmann::json;

// A report has no more.
constexpr size_t kMaxFindings = 1 << 14;

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

// "writable_file.append": an operation's unique name.
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
  if (finding.numbers.has_value()) {
    json["wanted"] = finding.numbers->wanted;
    json["found"] = finding.numbers->found;
  }
  if (!finding.names.empty()) json["names"] = finding.names;
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
          {"unavailable", OpNames(scheme.unavailable)},
          {"disabled", OpNames(scheme.disabled)}};
}

template <typename Item>
Json ArrayOf(const std::vector<Item>& items, Json (*convert)(const Item&)) {
  Json array = Json::array();
  for (const Item& item : items) array.push_back(convert(item));
  return array;
}

std::string_view Verdict(const LoadReport& report) {
  if (report.status.ok()) return "verified";
  const bool tried =
      !absl::IsInternal(report.status) || !report.findings.empty();
  return tried ? "refused" : "not_tried";
}

// --- Parsing ---

absl::StatusCode CodeFrom(const ParsedJson& json) {
  const int code = json;
  const auto last = static_cast<int>(absl::StatusCode::kUnauthenticated);
  if (code < 0 || code > last) throw std::invalid_argument("code");
  return static_cast<absl::StatusCode>(code);
}

std::optional<Op> OpFrom(const ParsedJson& name) {
  for (const Operation& operation : kOperations) {
    if (OpName(operation.op) == name) return operation.op;
  }
  return std::nullopt;
}

std::optional<Table> TableFrom(const ParsedJson& key) {
  for (const TableShape& shape : kTableShapes) {
    if (KeyOf(shape.table) == key) return shape.table;
  }
  return std::nullopt;
}

std::vector<Op> OpsFrom(const ParsedJson& names) {
  std::vector<Op> ops;
  for (const ParsedJson& name : names) ops.push_back(OpFrom(name).value());
  return ops;
}

Finding FindingFrom(const ParsedJson& json) {
  const std::string rule = json.at("rule");
  Finding finding = {};
  finding.rule = RuleIdOf(std::stoi(rule.substr(3))).value();
  finding.of_scheme = json.contains("scheme");
  if (finding.of_scheme) finding.scheme = json.at("scheme");
  if (json.contains("table")) finding.table = TableFrom(json.at("table"));
  if (json.contains("op")) finding.op = OpFrom(json.at("op"));
  finding.message = json.at("message");
  if (json.contains("wanted")) {
    finding.numbers = Numbers{json.at("wanted"), json.at("found")};
  }
  if (json.contains("names")) finding.names = json.at("names");
  return finding;
}

SchemeReport SchemeFrom(const ParsedJson& json) {
  SchemeReport scheme;
  scheme.scheme = json.at("scheme");
  scheme.registered = json.at("registered");
  for (size_t i = 0; i < kTables; ++i) {
    const ParsedJson& table = json.at("tables").at(std::string(kTableKeys[i]));
    scheme.tables[i] = {table.at("present"), table.at("bytes"), table.at("abi"),
                        table.at("api")};
  }
  scheme.present = OpsFrom(json.at("present"));
  scheme.by_default = OpsFrom(json.at("default"));
  scheme.unavailable = OpsFrom(json.at("unavailable"));
  scheme.disabled = OpsFrom(json.at("disabled"));
  return scheme;
}

LoadReport ReportFrom(const ParsedJson& json) {
  LoadReport report;
  report.plugin = json.at("plugin");
  report.known_as = json.at("known_as");
  const ParsedJson& status = json.at("status");
  report.status = absl::Status(CodeFrom(status.at("code")),
                               status.at("message").get<std::string>());
  report.loaded_before = json.at("loaded_before");
  if (json.at("schemes").size() > kMaxSchemesOfPlugin ||
      json.at("findings").size() > kMaxFindings) {
    throw std::length_error("too many");
  }
  for (const ParsedJson& finding : json.at("findings")) {
    report.findings.push_back(FindingFrom(finding));
  }
  for (const ParsedJson& scheme : json.at("schemes")) {
    report.schemes.push_back(SchemeFrom(scheme));
  }
  for (size_t i = 0; i < std::size(kTiers); ++i) {
    if (json.at("sealing") == kTiers[i]) {
      report.sealing = static_cast<SealingTier>(i);
    }
  }
  report.imports = json.at("imports").get<std::vector<std::string>>();
  report.status_provider = json.at("status_provider");
  report.stubs = json.at("stubs").get<std::vector<std::string>>();
  if (json.at("verdict") != Verdict(report)) {
    throw std::invalid_argument("verdict");
  }
  return report;
}

constexpr size_t kMaxDepth = 64;

// Returns how deep the brackets of `text`, a JSON document, nest outside of its
// strings: a hostile text could exhaust the parser's time and stack.
size_t Depth(std::string_view text) {
  size_t depth = 0;
  size_t deepest = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    if (byte == '"') quoted = !quoted;
    if (quoted) {
      if (byte == '\\') ++i;
    } else if (byte == '[' || byte == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((byte == ']' || byte == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

Json PluginJson(const LoadReport& report) {
  const absl::Status& status = report.status;
  Json sealing;
  if (report.sealing.has_value()) {
    sealing = kTiers[static_cast<size_t>(*report.sealing)];
  }
  return {{"plugin", report.plugin},
          {"known_as", report.known_as},
          {"verdict", Verdict(report)},
          {"status",
           {{"code", static_cast<int>(status.code())},
            {"name", absl::StatusCodeToString(status.code())},
            {"message", std::string(status.message())}}},
          {"loaded_before", report.loaded_before},
          {"findings", ArrayOf(report.findings, &FindingJson)},
          {"schemes", ArrayOf(report.schemes, &SchemeJson)},
          {"sealing", sealing},
          {"imports", report.imports},
          {"status_provider", report.status_provider},
          {"stubs", report.stubs}};
}

std::string PluginJsonText(const LoadReport& report) {
  return PluginJson(report).dump(-1, ' ', /*ensure_ascii=*/true,
                                 Json::error_handler_t::replace);
}

std::optional<LoadReport> ReportFromJson(std::string_view text) {
  if (Depth(text) > kMaxDepth) return std::nullopt;
  const ParsedJson json =
      ParsedJson::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return std::nullopt;
  try {
    return ReportFrom(json);
  } catch (const std::exception&) {  // missing part or wrong type
    return std::nullopt;
  }
}

}  // namespace fsload
