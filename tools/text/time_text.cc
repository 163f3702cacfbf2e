#include "tools/text/time_text.h"

#include "absl/time/time.h"

namespace fsload {

std::string TimeText(int64_t nanoseconds) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E9SZ",
                          absl::FromUnixNanos(nanoseconds),
                          absl::UTCTimeZone());
}

}  // namespace fsload
