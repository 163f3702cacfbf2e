// Reports as C sees them.
#pragma once

#include "absl/status/status.h"
#include "fsload/c/report.h"
#include "loader/confined_load/confined_load.h"

namespace fsload {

// Makes *target a report, unless `target` is null, and returns the status of
// the load.
absl::Status HandOver(ConfinedReport report, fsload_report** target);

}  // namespace fsload
