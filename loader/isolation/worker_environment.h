// The environment of a plugin's processes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fsload {

// Variables, each "NAME=VALUE". A copy: that of this process may be changed
// while a call starts a worker.
using Environment = std::vector<std::string>;

// Returns a copy of that of this process. The caller holds the LoadMutex:
// loads that set variables hold it too.
Environment CopyOfEnvironment();

// Returns the value of `name` in `all`; "" if it is not there, or if the
// process runs with more rights than its caller.
std::string ValueIn(const Environment& all, std::string_view name);

// Returns a copy of `all` with `changes`.
Environment WithChanges(
    const Environment& all,
    const std::map<std::string, std::optional<std::string>>& changes);

}  // namespace fsload
