// The names in a directory, in one order on every machine.
#ifndef FSLOAD_TOOLS_FILES_CHILD_NAMES_H_
#define FSLOAD_TOOLS_FILES_CHILD_NAMES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/file_system.h"

namespace fsload {

// Sorted by their bytes, each once: stores may list a name twice. Fails as
// GetChildren. Thread-safe.
absl::StatusOr<std::vector<std::string>> ChildNames(
    const FileSystem& file_system, const std::string& uri);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_CHILD_NAMES_H_
