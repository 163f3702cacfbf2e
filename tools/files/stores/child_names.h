// The names in a directory, in one order on every machine.
#ifndef FSLOAD_TOOLS_FILES_STORES_CHILD_NAMES_H_
#define FSLOAD_TOOLS_FILES_STORES_CHILD_NAMES_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/file_system.h"

namespace fsload {

struct Children {
  // Sorted by their bytes, each once. Some may be none (CheckChildName):
  // plugins give them, and on stores they are parts of objects' names.
  std::vector<std::string> names;

  // On stores: those that were listed twice, as an object and a directory of
  // one name are. Plugins may also do it without a reason.
  std::set<std::string> doubled;
};

// Fails as GetChildren. Thread-safe.
absl::StatusOr<Children> ListChildren(const FileSystem& file_system,
                                      const std::string& uri);

// OK where `name` names an entry of `directory`. INTERNAL for one that leads
// elsewhere ("../x"), FAILED_PRECONDITION for what objects of stores may be
// behind, but no path leads to: "", "." and "..".
absl::Status CheckChildName(const std::string& directory,
                            const std::string& name);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_STORES_CHILD_NAMES_H_
