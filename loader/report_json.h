// A LoadReport as JSON: what `fsload check --format=json` prints, and how a
// child process hands its report over. docs/report.md has the schema.
#ifndef FSLOAD_LOADER_REPORT_JSON_H_
#define FSLOAD_LOADER_REPORT_JSON_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "loader/load_report.h"

namespace fsload {

nlohmann::json ToJson(const LoadReport& report);

// The report that `text` is, as far as ToJson wrote it. None for anything else:
// the text may come from a process that a plugin runs in.
std::optional<LoadReport> ReportFromJson(std::string_view text);

}  // namespace fsload

#endif  // FSLOAD_LOADER_REPORT_JSON_H_
