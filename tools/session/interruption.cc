#include "tools/session/interruption.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

#include "absl/time/clock.h"
#include "core/threads/steady_now.h"
#include "third_party/fmt/format.h"
#include "tools/text/output.h"

namespace fsload {
namespace {

// One keypress may arrive twice, through the terminal and from a parent such as
// timeout(1); a person takes longer to press again.
constexpr int64_t kOneKeypress = 250'000'000;  // nanoseconds

// The default order; relaxed would do: each is all that its reader needs.
std::atomic<int64_t> interrupted_at{0};  // nanoseconds; 0: not yet
std::atomic<bool> ended_a_wait{false};

void Interrupt(int signal_number) {
  constexpr int64_t kSecond = 1'000'000'000;
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const int64_t now = (time.tv_sec + 1) * kSecond + time.tv_nsec;
  int64_t first = 0;
  if (interrupted_at.compare_exchange_strong(first, now)) return;
  if (now - first < kOneKeypress) return;
  // A second one ends a process that never gets to CheckInterruption.
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

}  // namespace

void CatchInterruptions() {
  StopWaitingWhen([] { return interrupted_at != 0; });
  struct sigaction action = {};
  action.sa_handler = &Interrupt;
  action.sa_flags = SA_RESTART;  // so that plugins need not handle it
  for (const int signal : kInterruptions) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    // nohup(1) has SIGHUP ignored, a script SIGINT of what it runs with "&".
    if (before.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
}

absl::Status CheckInterruption() {
  return interrupted_at == 0 ? absl::OkStatus() : CancelledError("interrupted");
}

bool WaitUnlessInterrupted(absl::Duration pause) {
  constexpr absl::Duration kSlice = absl::Milliseconds(20);
  const absl::Time end = SteadyNow() + pause;
  while (interrupted_at == 0) {
    const absl::Duration left = end - SteadyNow();
    if (left <= absl::ZeroDuration()) return true;
    absl::SleepFor(std::min(left, kSlice));
  }
  ended_a_wait = true;
  return false;
}

bool InterruptionEndedAWait() { return ended_a_wait; }

}  // namespace fsload
