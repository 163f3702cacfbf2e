// What to do about an error of a server.
#pragma once

#include <string>

#include "absl/status/status.h"

namespace fsload {

// Returns what to do about `status`, an error that a plugin reported of a URI,
// or, if it `is_local`, of a path of this machine.
std::string RepairFor(const absl::Status& status, bool is_local);

}  // namespace fsload
