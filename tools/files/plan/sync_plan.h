// Plans sync.
#pragma once

#include <optional>

#include "tools/files/listing/path_filter.h"
#include "tools/files/listing/tree.h"
#include "tools/files/locations/location.h"
#include "tools/files/plan/plan.h"

namespace fsload {

struct SyncRequest {
  Location source;  // a directory
  Location target;  // a directory, or nothing

  // Compares files of equal length by their contents. Else one that is not
  // older than its source is taken for its copy.
  bool by_contents = false;

  // Deletes what the source lacks, except what the filter excludes.
  bool deletes = false;
  bool deletes_all = false;  // even if the source has no files

  PathFilter filter;
  ErrorReporter report_error;
};

// Returns the plan that makes the target's contents those of the source. It
// deletes nothing if an error was reported, and its execution nothing after
// one.
//
// What PlanTransfer refuses is an error, and so is a source inside a target
// from which something is to be deleted. Nothing is deleted that is a source,
// or another name of a file that stays: a disk may take `x` for `X`. None if
// the caller stopped after an error, or if the source has no files and the
// target would lose all of its own.
std::optional<Plan> PlanSync(const SyncRequest& request);

}  // namespace fsload
