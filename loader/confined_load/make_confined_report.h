// Describes a confined load from its messages and its end.
#pragma once

#include <string>

#include "absl/time/time.h"
#include "loader/confined_load/confined_load.h"
#include "loader/supervision/supervised_child.h"

namespace fsload {

// Returns the report on the plugin `name`, which had `deadline`. Failures to
// complete, each in its phase, are findings after those of the load.
ConfinedReport MakeConfinedReport(const std::string& name,
                                  const ChildOutcome& outcome,
                                  absl::Duration deadline,
                                  ConfinedWork work = ConfinedWork::kLoad);

}  // namespace fsload
