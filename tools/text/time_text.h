// Times as text.
#pragma once

#include <cstdint>
#include <string>

namespace fsload {

// Returns "2026-01-31T23:59:59.123456789Z", from nanoseconds since 1970.
std::string TimeText(int64_t nanoseconds);

}  // namespace fsload
