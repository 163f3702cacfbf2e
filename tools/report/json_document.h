// What came of a run, for programs: docs/check.schema.json.
#ifndef FSLOAD_TOOLS_REPORT_JSON_DOCUMENT_H_
#define FSLOAD_TOOLS_REPORT_JSON_DOCUMENT_H_

#include <string>

#include "absl/types/span.h"
#include "loader/confined_load/confined_load.h"

namespace fsload {

// One document for all plugins of the run, in ASCII: other characters are
// escaped, and what is no UTF-8 is replaced by U+FFFD.
std::string JsonDocument(absl::Span<const ConfinedReport> reports);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_REPORT_JSON_DOCUMENT_H_
