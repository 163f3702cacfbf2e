// Whether something is at a path, for callers that act on the answer.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "fsload/file_system.h"

namespace fsload {

// Returns what is at `uri`: nothing if two answers agree
// (core/copies/confirmed_lookup.h), or if a file is above it, for which plugins
// have another error.
absl::StatusOr<std::optional<FileStatistics>> FoundAt(
    const FileSystem& file_system, const std::string& uri);

// Returns whether a file or directory is at `uri`. "No" takes two answers, or a
// file above it; an error if it is unknown.
absl::StatusOr<bool> IsThere(const FileSystem& file_system,
                             const std::string& uri);

// Returns the same, but true also for a link that leads nowhere, if it can be
// recognised.
absl::StatusOr<bool> IsThereOrLink(const FileSystem& file_system,
                                   const std::string& uri);

}  // namespace fsload
