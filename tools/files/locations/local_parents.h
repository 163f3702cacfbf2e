// ".." in local paths as the kernel resolves it: the parent of a symlink's
// target, not of the symlink.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace fsload {

// Returns `uri`, rewritten so that cleaning its path as text does not change
// where it leads: "l/../old" becomes "/tmp/r/old" if "l" is a symlink to
// /tmp/r/cur. Unchanged if it is not a local path, if no symlink precedes a
// "..", or if nothing is there (CheckParents).
std::string WithoutParents(const std::string& uri);

// Returns OK if everything before a ".." in `uri` exists, or if it is not a
// local path; else the kernel's error: NOT_FOUND for "missing/../x".
absl::Status CheckParents(const std::string& uri);

}  // namespace fsload
