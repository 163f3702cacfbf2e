// Whether a store's server can be reached.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "loader/known_plugins/endpoint.h"

namespace fsload {

// Connects to the server, and disconnects. UNAVAILABLE, as in "cannot reach
// http://host:9000 (Connection refused)", if that fails or takes longer than
// `timeout`. Thread-safe.
absl::Status TryToConnect(const Endpoint& endpoint, absl::Duration timeout);

// Returns what to do then: "check S3_ENDPOINT, and that the server is running".
std::string RepairOf(const Endpoint& endpoint);

}  // namespace fsload
