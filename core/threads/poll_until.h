// Waiting for descriptors.
#pragma once

#include <poll.h>

#include <algorithm>
#include <cerrno>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/threads/steady_now.h"

namespace fsload {

// Polls until one of `polled` is ready, whatever signals come, or SteadyNow is
// at `deadline`. Returns how many are ready; 0, with ETIMEDOUT in errno, or -1
// with another error. Thread-safe.
inline int PollUntil(absl::Span<pollfd> polled, absl::Time deadline) {
  for (;;) {
    const absl::Duration left = std::clamp(
        deadline - SteadyNow(), absl::ZeroDuration(), absl::Hours(1));
    const int milliseconds =
        static_cast<int>(absl::ToInt64Milliseconds(left)) + 1;
    const int ready = poll(polled.data(), polled.size(), milliseconds);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return ready;
    if (SteadyNow() < deadline) continue;
    errno = ETIMEDOUT;
    return 0;
  }
}

}  // namespace fsload
