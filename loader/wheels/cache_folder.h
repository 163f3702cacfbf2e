// Where fsload keeps what it need not make again.
#ifndef FSLOAD_LOADER_WHEELS_CACHE_FOLDER_H_
#define FSLOAD_LOADER_WHEELS_CACHE_FOLDER_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fsload {

// The absolute path of the folder `name` below $XDG_CACHE_HOME/fsload, or below
// ~/.cache/fsload where that variable is unset or no absolute path. What is
// missing is made, for this user alone. From any thread.
//
// FAILED_PRECONDITION without a home; PERMISSION_DENIED for a folder that is
// another user's, or that everybody may write to or replace, as code is loaded
// from it; the system's error where one cannot be made.
absl::StatusOr<std::string> CacheFolder(std::string_view name);

// Puts a file with these contents at `path`, readable for this user alone, in
// one step: another process sees all of it, or what was there before.
absl::Status ReplaceFile(const std::string& path, std::string_view contents);

}  // namespace fsload

#endif  // FSLOAD_LOADER_WHEELS_CACHE_FOLDER_H_
