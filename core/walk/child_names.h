// Lists the names in a directory, in the same order on every machine.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/file_system.h"

namespace fsload {

struct Children {
  // Sorted by their bytes, without duplicates. Some may be invalid
  // (CheckChildName): they come from plugins and, on stores, from the names of
  // objects.
  std::vector<std::string> names;

  // On stores: names listed twice, as an object and a directory of the same
  // name are. Plugins may also list a name twice for no reason.
  std::set<std::string> doubled;
};

// Fails as GetChildren does. Thread-safe.
absl::StatusOr<Children> ListChildren(const FileSystem& file_system,
                                      const std::string& uri);

// Returns whether names with an empty component are below the directory `uri`
// of a store ("s3://b/d//f") which ListChildren leaves out, as the plugin's
// listing does. Others are listed as "". Fails as GetChildren does.
// Thread-safe.
absl::StatusOr<bool> HasUnlistedNames(const FileSystem& file_system,
                                      const std::string& uri);

// Returns OK if `name` names an entry of `directory`. INTERNAL for one that
// leads elsewhere ("../x"), FAILED_PRECONDITION for a name that objects may
// have but no path reaches: "", "." and "..".
absl::Status CheckChildName(const std::string& directory,
                            const std::string& name);

}  // namespace fsload
