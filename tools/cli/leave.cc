#include "tools/cli/leave.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "tools/cli/exit_code.h"

// Of the sanitizer runtime in the build; null if absent.
extern "C" {
void __lsan_do_leak_check() __attribute__((weak));
}

namespace fsload {

void ReportExitByPlugin() {
  // This program leaves by _exit, so only a plugin gets here.
  static const pid_t process = getpid();
  const auto tell = [] {
    if (getpid() != process) return;  // the parent reports it
    std::fputs("fsload: a plugin ended the process with exit()\n", stderr);
    std::fflush(nullptr);
    _exit(kFindings);
  };
  std::atexit(tell);
  std::at_quick_exit(tell);
}

void Leave(int exit_code) {
  std::fflush(nullptr);
  if (__lsan_do_leak_check != nullptr) __lsan_do_leak_check();
  _exit(exit_code);
}

}  // namespace fsload
