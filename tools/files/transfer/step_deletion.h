// Runs the steps of a plan that delete.
#pragma once

#include "absl/status/status.h"
#include "tools/files/plan/plan.h"

namespace fsload {

// Runs `step`, which deletes a file or an empty directory. OK if nothing is
// left there, whoever deleted it. A directory whose contents were moved stays,
// with an error, unless they are known to be where they were moved to.
absl::Status RunDeletion(const Step& step);

}  // namespace fsload
