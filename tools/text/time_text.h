// Times as text.
#ifndef FSLOAD_TOOLS_TEXT_TIME_TEXT_H_
#define FSLOAD_TOOLS_TEXT_TIME_TEXT_H_

#include <cstdint>
#include <string>

namespace fsload {

// Returns "2026-01-31T23:59:59.123456789Z", from nanoseconds since 1970.
std::string TimeText(int64_t nanoseconds);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_TEXT_TIME_TEXT_H_
