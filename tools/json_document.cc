#include "tools/json_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "loader/load_report_json.h"

namespace fsload {
namespace {

using Json = nlohmann::ordered_json;

// Counts up when a reader of the version before would misread the document; a
// part that is added is no reason.
constexpr int kSchemaVersion = 1;

constexpr int kIndent = 2;

}  // namespace

std::string JsonDocument(absl::Span<const ConfinedReport> reports) {
  const bool verified = std::all_of(
      reports.begin(), reports.end(),
      [](const ConfinedReport& report) { return report.load.status.ok(); });
  Json plugins = Json::array();
  for (const ConfinedReport& report : reports) {
    Json plugin = PluginJson(report.load);
    plugin["confinement"] = report.confinement;
    plugin["printed"] = report.output;
    plugin["printed_more"] = report.output_cut;
    plugins.push_back(std::move(plugin));
  }
  const Json document = {{"schema_version", kSchemaVersion},
                         {"verdict", verified ? "verified" : "refused"},
                         {"plugins", plugins}};
  return document.dump(kIndent, ' ', /*ensure_ascii=*/true,
                       Json::error_handler_t::replace) +
         "\n";
}

}  // namespace fsload
