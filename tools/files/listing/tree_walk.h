// Walks everything below a directory for a verb, which the user may interrupt.
#pragma once

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "fsload/file_system.h"
#include "fsload/walk.h"

namespace fsload {

// Calls `visit` for each entry below the directory `uri` that could be
// examined; it returns false to stop. Calls `fail` for one that could not be
// examined or listed, and goes on. Returns the error of listing `uri` itself,
// and CANCELLED once the user has interrupted the command.
absl::Status WalkTree(const FileSystem& file_system, const std::string& uri,
                      WalkOptions options,
                      const std::function<bool(const WalkEntry&)>& visit,
                      const std::function<void(const std::string& uri,
                                               const absl::Status&)>& fail);

}  // namespace fsload
