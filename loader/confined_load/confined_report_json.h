// A ConfinedReport as JSON: a plugin of docs/check.schema.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "loader/confined_load/confined_load.h"

namespace fsload {

// Returns what PluginJson (loader/report/load_report_json.h) has of the load,
// and how the plugin was confined and what it printed. Its strings need not be
// UTF-8.
nlohmann::ordered_json PluginJson(const ConfinedReport& report);

}  // namespace fsload
