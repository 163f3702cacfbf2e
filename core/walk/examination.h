// What a walk asks a plugin about one entry.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/walk/link_loop.h"
#include "fsload/file_system.h"
#include "fsload/walk.h"

namespace fsload {

// The contents of a directory that a walk goes into; no `directory` otherwise.
struct Contents {
  std::shared_ptr<const WalkedDirectory> directory;
  std::vector<std::string> names;
};

// Returns the answer of `options.before_call`; OK if it is null. Within it the
// file system cannot be retired, as that would wait for the walk.
absl::Status MayGoOn(const FileSystem& file_system, const WalkOptions& options);

// Lists the directory `uri`, in which the walk begins.
absl::StatusOr<Contents> ListStart(const FileSystem& file_system,
                                   const std::string& uri);

// Fills in `entry`, which has its path and URI, and lists it if the walk goes
// into it. `parent` has listed it as `name`. Fails only with the error of
// `options.before_call`.
absl::Status Examine(const FileSystem& file_system, const WalkOptions& options,
                     const std::shared_ptr<const WalkedDirectory>& parent,
                     const std::string& name, WalkEntry& entry,
                     Contents& contents);

}  // namespace fsload
