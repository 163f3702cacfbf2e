#include "tools/text/time_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

namespace fsload {

std::string TimeText(int64_t nanoseconds) {
  constexpr int64_t kPerSecond = 1'000'000'000;
  int64_t seconds = nanoseconds / kPerSecond;
  int64_t rest = nanoseconds % kPerSecond;
  if (rest < 0) {
    rest += kPerSecond;
    --seconds;
  }
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:09}Z",
                     fmt::gmtime(static_cast<std::time_t>(seconds)), rest);
}

}  // namespace fsload
