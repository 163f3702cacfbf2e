// Finds out whether two file systems lead to one place: an alias is another
// name of a store, and a plugin may serve this machine's files.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tools/files/locations/location.h"

namespace fsload {

// Returns whether two times of modification may be of one file: a store, or a
// plugin, may drop what is below a second.
bool MayBeOneTime(int64_t a, int64_t b);

// Returns whether the plugin's answer on `location` equals the local system's
// on `path`.
bool IsOfThisMachine(const Location& location, const std::string& path);

// Returns whether a plugin that has the clean `path` for `location` serves this
// machine's files there: its answer on the location, or on the nearest
// directory above it that exists, and that directory's names, equal the local
// system's.
bool IsOnThisMachine(const Location& location, const std::string& path);

// Says whether two lookups were of one entry.
enum class Evidence { kNone, kSame, kDifferent };

// Returns whether what is at `location` is also at the same host and path of
// the file system of `other`, judging by names, lengths and times. kDifferent
// for an empty directory, of which nothing can be lost. Asks only if the file
// systems differ; fails if one of them does.
absl::StatusOr<Evidence> IsAlsoIn(const Location& location,
                                  const Location& other);

}  // namespace fsload
