// Plans rm.
#pragma once

#include <optional>
#include <vector>

#include "tools/files/listing/path_filter.h"
#include "tools/files/listing/tree.h"
#include "tools/files/locations/location.h"
#include "tools/files/plan/plan.h"

namespace fsload {

struct RemovalRequest {
  std::vector<Location> locations;
  bool recursive = false;       // directories too
  bool whatever_it_is = false;  // also what CheckMayBeDeleted refuses
  bool may_be_missing = false;  // where certainly nothing is, does nothing
  bool by_name = false;         // see PlanRemoval
  PathFilter filter;
  ErrorReporter report_error;
};

// Returns the plan that deletes the locations. With --include, deletes files
// only; a directory in which something was left out stays. None if the caller
// stopped after an error.
//
// With `by_name`, and without a filter, the entries of a directory are not
// examined if the plugin deletes by name (PluginTraits::deletes_by_name): that
// would take more requests than to delete them. The plan then has all names as
// files, and a step that finds out which of them are directories. That step
// keeps a copy of the request: `report_error` must work until the plan is
// executed, and is called by the thread that executes it.
//
// A symlink to a directory looks like one, so its contents are in the plan.
// Execution deletes the symlink first, and then finds nothing there.
std::optional<Plan> PlanRemoval(const RemovalRequest& request);

}  // namespace fsload
