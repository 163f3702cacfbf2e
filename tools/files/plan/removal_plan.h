// The plan of rm.
#ifndef FSLOAD_TOOLS_FILES_PLAN_REMOVAL_PLAN_H_
#define FSLOAD_TOOLS_FILES_PLAN_REMOVAL_PLAN_H_

#include <optional>
#include <vector>

#include "tools/files/plan/plan.h"
#include "tools/files/walk/path_filter.h"

namespace fsload {

struct RemovalRequest {
  std::vector<Place> places;
  bool recursive = false;       // directories too
  bool whatever_it_is = false;  // also what CheckMayBeDeleted refuses
  PathFilter filter;
  TellError tell;
};

// What deletes the places. With an --include, files alone; a directory in which
// something was left out stays. Nothing when the caller did not want to go on
// after an error.
//
// A link to a directory looks like one, so what it leads to is in the plan.
// Execution deletes the link first, and then finds nothing behind it.
std::optional<Plan> PlanRemoval(const RemovalRequest& request);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_REMOVAL_PLAN_H_
