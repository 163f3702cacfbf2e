#include "core/threads/cleanup_notice.h"

#include <algorithm>
#include <mutex>

#include "absl/time/time.h"

namespace fsload {

void CleanupNotice::Notify() {
  const std::lock_guard<std::mutex> lock(mutex_);
  done_ = true;
  changed_.notify_all();
}

bool CleanupNotice::WaitFor(absl::Duration timeout) const {
  // The longest wait that the clock can represent; a longer one means forever.
  constexpr absl::Duration kLongest = absl::Hours(24 * 365);
  std::unique_lock<std::mutex> lock(mutex_);
  return changed_.wait_for(
      lock, absl::ToChronoNanoseconds(std::min(timeout, kLongest)),
      [this] { return done_; });
}

}  // namespace fsload
