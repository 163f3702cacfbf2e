#include "core/threads/cleanup_notice.h"

#include <algorithm>
#include <chrono>

#include "absl/time/time.h"
#include "fsload/internal/mutex.h"

namespace fsload {

void CleanupNotice::Notify() {
  Waiting& waiting = waiting_.get();
  const MutexLock lock(waiting.mutex);
  done_ = true;
  waiting.changed.NotifyAll();
}

bool CleanupNotice::WaitFor(absl::Duration timeout) const {
  // The longest wait that the clock can represent; a longer one means forever.
  constexpr absl::Duration kLongest = absl::Hours(24 * 365);
  const auto end = std::chrono::steady_clock::now() +
                   absl::ToChronoNanoseconds(std::min(timeout, kLongest));
  Waiting& waiting = waiting_.get();
  const MutexLock lock(waiting.mutex);
  while (!done_) {
    if (!waiting.changed.WaitUntil(waiting.mutex, end)) break;
  }
  return done_;
}

}  // namespace fsload
