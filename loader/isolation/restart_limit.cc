#include "loader/isolation/restart_limit.h"

#include <algorithm>

namespace fsload {
namespace {

// Returns how long to wait after so many restarts.
absl::Duration PauseAfter(size_t restarts) {
  constexpr absl::Duration kFirst = absl::Milliseconds(5);
  constexpr absl::Duration kLongest = absl::Milliseconds(100);
  if (restarts == 0) return absl::ZeroDuration();
  absl::Duration pause = kFirst;
  for (size_t i = 1; i < restarts && pause < kLongest; ++i) pause *= 2;
  return std::min(pause, kLongest);
}

}  // namespace

RestartLimit::RestartLimit(int most)
    : most_(static_cast<size_t>(std::max(most, 0))) {}

std::optional<absl::Duration> RestartLimit::Count(absl::Time now) {
  while (!restarts_.empty() && restarts_.front() < now - absl::Minutes(1)) {
    restarts_.pop_front();
  }
  if (restarts_.size() >= most_) return std::nullopt;
  const absl::Duration pause = PauseAfter(restarts_.size());
  restarts_.push_back(now);
  return pause;
}

}  // namespace fsload
