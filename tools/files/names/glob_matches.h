// Finds what a pattern matches.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/glob/glob_pattern.h"
#include "fsload/file_system.h"

namespace fsload {

// Returns the URIs that match `pattern`, sorted within each directory. Other
// than GetMatchingPaths, takes "**" for any number of directories, also none;
// at the end, for everything below. Links to directories are not followed by
// "**" if they can be recognised, and loops are errors otherwise. Ends with '/'
// what a pattern matches that does.
//
// All or nothing: fails if a directory cannot be listed or an entry not be
// examined, unless two queries agree that nothing is there
// (core/copies/confirmed_lookup.h). CANCELLED once the user has interrupted
// the command.
absl::StatusOr<std::vector<std::string>> MatchesOf(
    const FileSystem& file_system, const GlobPattern& pattern);

}  // namespace fsload
