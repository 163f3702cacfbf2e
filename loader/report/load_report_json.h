// A LoadReport as JSON: a plugin of docs/check.schema.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "fsload/load_report.h"

namespace fsload {

// Returns the report as JSON, whose strings need not be UTF-8: the code that
// writes it out replaces invalid bytes
// (nlohmann::json::error_handler_t::replace).
nlohmann::ordered_json PluginJson(const LoadReport& report);

// Does the same as text in ASCII, for another process.
std::string PluginJsonText(const LoadReport& report);

// Parses the output of PluginJson. None for anything else: the text may come
// from a process that a plugin runs in.
std::optional<LoadReport> ReportFromJson(std::string_view text);

}  // namespace fsload
