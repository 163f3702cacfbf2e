#include "loader/supervision/address_space.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace fsload {

uint64_t PeakAddressSpaceBytes() {
  const int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  char text[4096];
  const ssize_t bytes = read(fd, text, sizeof(text) - 1);
  close(fd);
  if (bytes <= 0) return 0;
  text[bytes] = '\0';
  const char* const line = std::strstr(text, "VmPeak:");
  constexpr uint64_t kUnit = 1024;
  return line == nullptr ? 0 : kUnit * std::strtoull(line + 7, nullptr, 10);
}

}  // namespace fsload
