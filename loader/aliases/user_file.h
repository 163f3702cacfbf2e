// Files of the user's: settings and secrets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace fsload {

// What users other than the owner and root may do to a file.
enum class OfOthers : uint8_t {
  kMayRead,     // they may not change it
  kMayNothing,  // nor read it: it is a secret
};

// Returns the contents of the regular file at `path`. PERMISSION_DENIED, with
// what to do, if others may do more than `others`, or if it belongs to another
// user than this one or root; INVALID_ARGUMENT for another kind of file or a
// large one; the system's error if it cannot be read. Never blocks.
absl::StatusOr<std::string> ReadUserFile(const std::string& path,
                                         OfOthers others);

// Returns `path` with the user's home directory for a '~' before a '/'.
std::string ExpandHome(std::string_view path);

}  // namespace fsload
