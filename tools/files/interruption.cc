#include "tools/files/interruption.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace fsload {
namespace {

std::atomic<int64_t> interrupted_at{0};  // seconds, as the kernel counts them

void Interrupt(int signal_number) {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t first = 0;
  if (interrupted_at.compare_exchange_strong(first, now.tv_sec + 1)) return;
  // One keypress may come twice, through the terminal and from a parent. A
  // second one ends a process that does not come to its next question.
  if (now.tv_sec + 1 - first < 2) return;
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

}  // namespace

void CatchInterruptions() {
  struct sigaction action = {};
  action.sa_handler = &Interrupt;
  action.sa_flags = SA_RESTART;  // plugins need not know
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

absl::Status CheckInterruption() {
  return interrupted_at == 0 ? absl::OkStatus()
                             : absl::CancelledError("interrupted");
}

}  // namespace fsload
