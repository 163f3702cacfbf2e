// How often a plugin's process that has ended is started again.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>

#include "absl/time/time.h"

namespace fsload {

// One thread at a time.
class RestartLimit final {
 public:
  // Allows `most` restarts within any minute; 0 or less: none.
  explicit RestartLimit(int most);

  // Counts a restart at `now`, and returns how long to wait before it. None if
  // it would be one too many; then it does not count.
  std::optional<absl::Duration> Count(absl::Time now);

  // Returns how many restarts the minute before the last Count() had.
  size_t count() const { return restarts_.size(); }

 private:
  const size_t most_;
  std::deque<absl::Time> restarts_;  // oldest first
};

}  // namespace fsload
