// The folder for what fsload can recreate.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fsload {

// Returns the absolute path of the folder `name` below $XDG_CACHE_HOME/fsload,
// or below ~/.cache/fsload if that variable is unset or not an absolute path.
// Creates what is missing, for this user alone. Thread-safe.
//
// FAILED_PRECONDITION without a home; PERMISSION_DENIED for a folder that
// belongs to another user, is world-writable or can be replaced by anybody,
// because code is loaded from it; the system's error if it cannot be created.
absl::StatusOr<std::string> CacheFolder(std::string_view name);

// Writes a file with these contents to `path` atomically, readable for this
// user alone: another process sees all of it, or what was there before.
absl::Status ReplaceFile(const std::string& path, std::string_view contents);

}  // namespace fsload
