// A LoadReport as JSON: a plugin of docs/check.schema.json.
#ifndef FSLOAD_LOADER_LOAD_REPORT_JSON_H_
#define FSLOAD_LOADER_LOAD_REPORT_JSON_H_

#include <nlohmann/json.hpp>

#include "loader/load_report.h"

namespace fsload {

// Its strings are the report's, so they need not be UTF-8: whoever writes it
// out replaces what is none (nlohmann::json::error_handler_t::replace).
nlohmann::ordered_json PluginJson(const LoadReport& report);

}  // namespace fsload

#endif  // FSLOAD_LOADER_LOAD_REPORT_JSON_H_
