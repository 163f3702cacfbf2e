// What came of a run, for the test reports of build servers.
#ifndef FSLOAD_TOOLS_REPORT_JUNIT_DOCUMENT_H_
#define FSLOAD_TOOLS_REPORT_JUNIT_DOCUMENT_H_

#include <string>

#include "absl/types/span.h"
#include "loader/confined_load/confined_load.h"

namespace fsload {

// JUnit's XML: a suite for each plugin, in it a case for each rule that is
// broken, and one that passes for a plugin that is verified. A MUST rule is a
// failure; the words about others are the case's output.
std::string JunitDocument(absl::Span<const ConfinedReport> reports);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_REPORT_JUNIT_DOCUMENT_H_
