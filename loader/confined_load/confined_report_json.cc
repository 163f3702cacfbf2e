#include "loader/confined_load/confined_report_json.h"

#include <nlohmann/json.hpp>

#include "loader/report/load_report_json.h"

namespace fsload {

nlohmann::ordered_json PluginJson(const ConfinedReport& report) {
  nlohmann::ordered_json plugin = PluginJson(report.load);
  plugin["confinement"] = report.confinement;
  plugin["printed"] = report.output;
  plugin["printed_more"] = report.output_cut;
  return plugin;
}

}  // namespace fsload
