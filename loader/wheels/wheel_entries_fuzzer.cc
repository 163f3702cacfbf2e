// Feeds untrusted wheels to their reader: no bytes make it crash, hang, read
// outside them or write more than it says.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "loader/wheels/wheel_entries.h"

// Called by libFuzzer, and by wheel_entries_test.cc.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int fd = memfd_create("wheel", MFD_CLOEXEC);
  if (fd < 0 || fchmod(fd, S_IRUSR | S_IWUSR) != 0 ||
      write(fd, data, size) != static_cast<ssize_t>(size)) {
    std::abort();
  }
  const auto entries =
      fsload::WheelEntries::Open("/proc/self/fd/" + std::to_string(fd));
  if (entries.ok()) {
    for (const fsload::WheelEntry& entry : (*entries)->all()) {
      static_cast<void>((*entries)->Mentions(entry, "TF_InitPlugin"));
    }
  }
  close(fd);
  return 0;
}
