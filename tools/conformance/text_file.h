// Reading the files that `fsload conformance` is given.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace fsload::conformance {

// Returns the contents of the file at `path`, "" of an empty one; an error,
// such as NOT_FOUND, names the file.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

}  // namespace fsload::conformance
