// Whether a store takes an object in as many parts as its plugin sends.
#pragma once

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace fsload {

// Returns FAILED_PRECONDITION, naming the variable to set, if the plugin of
// `uri` sends `bytes` bytes in more parts than the store accepts. Thread-safe
// while nobody sets environment variables.
absl::Status CheckPartCount(std::string_view uri, int64_t bytes);

}  // namespace fsload
