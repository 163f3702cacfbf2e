#include "tools/json_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "loader/load_report_json.h"

namespace fsload {
namespace {

using Json = nlohmann::ordered_json;

// Counts up when a reader of the version before would misread the document; a
// part that is added is no reason.
constexpr int kSchemaVersion = 1;

constexpr int kIndent = 2;

}  // namespace

std::string JsonDocument(absl::Span<const LoadReport> reports) {
  const bool verified =
      std::all_of(reports.begin(), reports.end(),
                  [](const LoadReport& report) { return report.status.ok(); });
  Json plugins = Json::array();
  for (const LoadReport& report : reports) {
    plugins.push_back(PluginJson(report));
  }
  const Json document = {{"schema_version", kSchemaVersion},
                         {"verdict", verified ? "verified" : "refused"},
                         {"plugins", plugins}};
  return document.dump(kIndent, ' ', /*ensure_ascii=*/true,
                       Json::error_handler_t::replace) +
         "\n";
}

}  // namespace fsload
