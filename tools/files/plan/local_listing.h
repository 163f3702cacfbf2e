// All that is in a directory of this machine's disks.
#ifndef FSLOAD_TOOLS_FILES_PLAN_LOCAL_LISTING_H_
#define FSLOAD_TOOLS_FILES_PLAN_LOCAL_LISTING_H_

#include <optional>
#include <vector>

#include "tools/files/plan/tree.h"

namespace fsload {

// ListTree where the root is in a LocalTree, however deep. Where that follows
// links, one back to a directory that it lies in is an error, and not followed;
// so is a device, FIFO or socket. Where it refuses them, all but directories
// are entries like files.
std::optional<std::vector<ListedEntry>> ListLocalTree(
    const TreeRequest& request);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_LOCAL_LISTING_H_
