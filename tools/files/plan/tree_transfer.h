// Plans the transfer of one directory with its contents.
#ifndef FSLOAD_TOOLS_FILES_PLAN_TREE_TRANSFER_H_
#define FSLOAD_TOOLS_FILES_PLAN_TREE_TRANSFER_H_

#include "tools/files/locations/path_checks.h"
#include "tools/files/plan/transfer_steps.h"

namespace fsload {

// Adds to `steps` those that bring the directory `source` to `target`, where
// there is `there`. Returns whether to go on.
bool AddTree(const Location& source, const Location& target, FileType there,
             TransferSteps& steps);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_TREE_TRANSFER_H_
