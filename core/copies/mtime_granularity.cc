#include "core/copies/mtime_granularity.h"

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace fsload {

int64_t MtimeGranularity(int64_t time_nsec, bool is_local) {
  constexpr int64_t kTicks = 20'000'000;
  constexpr int64_t kSecond = 1'000'000'000;
  constexpr int64_t kMargin = kSecond / 4;
  if (is_local && time_nsec % (2 * kSecond) == 0) return 2 * kSecond + kMargin;
  if (time_nsec % kSecond == 0) return kSecond + kMargin;
  return is_local ? kTicks : 0;
}

absl::StatusOr<bool> WaitForNewMtime(
    bool is_local, const std::function<absl::StatusOr<int64_t>()>& get_mtime) {
  constexpr int kTries = 5;
  for (int i = 0;; ++i) {
    const absl::StatusOr<int64_t> time = get_mtime();
    if (!time.ok()) return time.status();
    const int64_t settled = MtimeGranularity(*time, is_local);
    const int64_t now = absl::ToUnixNanos(absl::Now());
    // A time in the future is not a clock's: the next write will change it.
    if (*time > now || *time <= now - settled) return true;
    if (i == kTries) return false;
    absl::SleepFor(absl::Nanoseconds(settled - (now - *time)));
  }
}

bool IsStillThere(const std::function<absl::StatusOr<FileStatistics>()>& look) {
  constexpr int kTries = 5;
  constexpr absl::Duration kPause = absl::Milliseconds(300);
  for (int i = 1;; ++i) {
    const absl::StatusOr<FileStatistics> found = look();
    if (!found.ok() || found->is_directory) return false;
    if (i == kTries) return true;
    absl::SleepFor(kPause);
  }
}

}  // namespace fsload
