// The results of a run, for the test reports of build servers.
#pragma once

#include <string>

#include "absl/types/span.h"
#include "loader/confined_load/confined_load.h"

namespace fsload {

// Returns JUnit XML: a suite for each plugin, with a case for each broken rule,
// and one that passes for a verified plugin. A MUST rule is a failure; messages
// of other rules are the case's output.
std::string JunitDocument(absl::Span<const ConfinedReport> reports);

}  // namespace fsload
