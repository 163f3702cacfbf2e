// What is asked of the plugin before and after a file's step.
#pragma once

#include "absl/status/status.h"
#include "fsload/file_statistics.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/plan/step.h"

namespace fsload {

// Returns OK only if the target of a rename, queried again, can be what
// `source` was, and not what was there `before`.
absl::Status CheckRenamed(const Step& step, const FileStatistics& source,
                          const PathState& before);

// Returns OK unless the source of a rename is still there: then DATA_LOSS.
absl::Status CheckSourceIsGone(const Step& step);

// Returns OK unless another file is `now` at the target than the plan found
// there: then ALREADY_EXISTS.
absl::Status CheckTargetIsAsPlanned(const Step& step, const PathState& now);

}  // namespace fsload
