// Paths that end in '/', which name directories only.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "fsload/file_system.h"

namespace fsload {

// Returns `uri` without trailing slashes, except those of a root.
std::string_view WithoutTrailingSlashes(std::string_view uri);

// Returns OK unless `uri` ends in '/' and what is there, if anything, is a
// file; then FAILED_PRECONDITION: plugins ignore the slash. Asks only about
// such a path, and not on stores, where it is a name of its own.
absl::Status CheckTrailingSlash(const FileSystem& file_system,
                                const std::string& uri);

// Does the same for what is there, which is known.
absl::Status CheckTrailingSlash(const std::string& uri, bool is_directory);

}  // namespace fsload
