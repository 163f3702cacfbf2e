#include "core/threads/cleanup_notice.h"

#include <algorithm>
#include <chrono>

#include "absl/time/time.h"
#include "fsload/internal/mutex.h"

namespace fsload {

void CleanupNotice::Notify() {
  const MutexLock lock(mutex_);
  done_ = true;
  changed_.NotifyAll();
}

bool CleanupNotice::WaitFor(absl::Duration timeout) const {
  // The longest wait that the clock can represent; a longer one means forever.
  constexpr absl::Duration kLongest = absl::Hours(24 * 365);
  const auto end = std::chrono::steady_clock::now() +
                   absl::ToChronoNanoseconds(std::min(timeout, kLongest));
  const MutexLock lock(mutex_);
  while (!done_) {
    if (!changed_.WaitUntil(mutex_, end)) break;
  }
  return done_;
}

}  // namespace fsload
