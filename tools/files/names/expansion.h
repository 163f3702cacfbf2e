// Expands patterns in arguments, as the shell does with those of local paths.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "fsload/file_system.h"
#include "tools/files/names/argument.h"

namespace fsload {

// Returns the URIs that `argument`, which is to be expanded, stands for: what
// its pattern matches (glob_matches.h), or its own URI if that is nothing, if
// it is no well-formed pattern, or if the plugin lists nothing.
//
// INVALID_ARGUMENT if it may mean two things: its own URI exists and the
// pattern matches something else, or it has an empty component or a "..", which
// another path would replace, or a "[!", which the shell and TensorFlow
// understand differently.
absl::StatusOr<std::vector<std::string>> Expand(const FileSystem& file_system,
                                                const Argument& argument);

// Returns `uris` without those inside of others, which a verb that takes
// directories with their contents takes along.
std::vector<std::string> Outermost(std::vector<std::string> uris);

}  // namespace fsload
