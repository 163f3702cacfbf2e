// The results of a command as JSON: docs/check.schema.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "absl/types/span.h"
#include "loader/confined_load/confined_load.h"

namespace fsload {

// "schema_version" in the document of each command: incremented when a reader
// of the previous version would misread it; not for additions.
constexpr int kCheckSchema = 1;
constexpr int kConformanceSchema = 1;
constexpr int kDoctorSchema = 1;
constexpr int kPluginsSchema = 1;

// Returns `document` as ASCII text that ends in a newline: other characters are
// escaped, and invalid UTF-8 is replaced by U+FFFD.
std::string JsonText(const nlohmann::ordered_json& document);

// Returns one such document for all plugins of a run of check.
std::string JsonDocument(absl::Span<const ConfinedReport> reports);

}  // namespace fsload
