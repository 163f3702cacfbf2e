// Plans the transfer of one directory with its contents.
#pragma once

#include "tools/files/locations/path_checks.h"
#include "tools/files/plan/transfer_steps.h"

namespace fsload {

// Adds to `steps` those that bring the directory `source` to `target`, where
// there is `there`. Returns whether to go on.
bool AddTree(const Location& source, const Location& target, FileType there,
             TransferSteps& steps);

}  // namespace fsload
