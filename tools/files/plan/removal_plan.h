// Plans rm.
#ifndef FSLOAD_TOOLS_FILES_PLAN_REMOVAL_PLAN_H_
#define FSLOAD_TOOLS_FILES_PLAN_REMOVAL_PLAN_H_

#include <optional>
#include <vector>

#include "tools/files/listing/tree.h"
#include "tools/files/places/place.h"
#include "tools/files/plan/plan.h"
#include "tools/files/walk/path_filter.h"

namespace fsload {

struct RemovalRequest {
  std::vector<Place> places;
  bool recursive = false;       // directories too
  bool whatever_it_is = false;  // also what CheckMayBeDeleted refuses
  bool may_be_missing = false;  // where certainly nothing is, does nothing
  PathFilter filter;
  TellError tell;
};

// The plan that deletes the places. With --include, deletes files only; a
// directory in which something was left out stays. None if the caller stopped
// after an error.
//
// A symlink to a directory looks like one, so its contents are in the plan.
// Execution deletes the symlink first, and then finds nothing there.
std::optional<Plan> PlanRemoval(const RemovalRequest& request);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_REMOVAL_PLAN_H_
