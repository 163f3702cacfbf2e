// The plans of cp and mv.
#ifndef FSLOAD_TOOLS_FILES_PLAN_TRANSFER_PLAN_H_
#define FSLOAD_TOOLS_FILES_PLAN_TRANSFER_PLAN_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "tools/files/plan/plan.h"
#include "tools/files/walk/path_filter.h"
#include "tools/files/walk/shard.h"

namespace fsload {

struct TransferRequest {
  std::vector<Place> sources;
  Place target;
  // How many sources the user named, where some of them are none: what the
  // target means depends on what was named, never on what is left of it.
  size_t named = 0;
  bool moves = false;      // else copies
  bool recursive = false;  // directories too
  bool replaces = true;    // files that are there; else these are left out
  bool renames_directories = true;  // as a whole, where that can be done
  PathFilter filter;
  Shard shard;
  TellError tell;
};

// What brings the sources to the target: inside of it, where it is a directory,
// where there are several sources, or where a file's target ends in '/'. Looks
// at the sources and the target and changes nothing. A source that cannot be
// brought there is an error of its own: a directory that is not asked for
// recursively, one onto a file or the reverse, or onto a link below the target,
// one into itself, a file onto itself, two onto one, a device, FIFO or socket
// that is to be read or replaced. Files are numbered in the order of the
// sources and of the paths in each, so that shards are the same on all
// machines; each makes the directories that its files need, and the first those
// without files. Nothing when the caller did not want to go on after an error.
std::optional<Plan> PlanTransfer(const TransferRequest& request);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_TRANSFER_PLAN_H_
