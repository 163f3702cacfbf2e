#include "tools/files/interruption.h"

#include <csignal>

namespace fsload {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void Interrupt(int signal_number) {
  // A second one ends a process that does not come to its next question.
  std::signal(signal_number, SIG_DFL);
  interrupted = 1;
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
  return interrupted == 0 ? absl::OkStatus()
                          : absl::CancelledError("interrupted");
}

}  // namespace fsload
