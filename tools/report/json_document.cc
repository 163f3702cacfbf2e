#include "tools/report/json_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "loader/confined_load/confined_report_json.h"
#include "tools/report/plugin_report.h"

namespace fsload {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string JsonText(const Json& document) {
  constexpr int kIndent = 2;
  return document.dump(kIndent, ' ', /*ensure_ascii=*/true,
                       Json::error_handler_t::replace) +
         "\n";
}

std::string JsonDocument(absl::Span<const ConfinedReport> reports) {
  Json plugins = Json::array();
  for (const ConfinedReport& report : reports) {
    plugins.push_back(PluginJson(report));
    plugins.back()["summary"] = Verdict(report.load);
  }
  const auto has = [&plugins](const char* verdict) {
    return std::any_of(
        plugins.begin(), plugins.end(),
        [verdict](const Json& plugin) { return plugin["verdict"] == verdict; });
  };
  // Matches the exit codes 70, 1, 0 and 3.
  const char* const verdict = has("not_tried")  ? "not_tried"
                              : has("refused")  ? "refused"
                              : has("verified") ? "verified"
                                                : "nothing_verified";
  return JsonText({{"schema_version", kCheckSchema},
                   {"verdict", verdict},
                   {"plugins", plugins}});
}

}  // namespace fsload
