#include "core/system/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace fsload {

int CreateMemoryFile(const std::string& name) {
  return memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

bool WriteAt(int fd, std::string_view bytes, size_t offset) {
  while (!bytes.empty()) {
    const ssize_t written =
        pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;
    if (written <= 0) return false;
    bytes.remove_prefix(written);
    offset += written;
  }
  return true;
}

bool SealMemoryFile(int fd) {
  constexpr int kMaxAttempts = 100;
  constexpr useconds_t kPauseMicroseconds = 2000;
  for (int attempt = 1;; ++attempt) {
    if (fcntl(fd, F_ADD_SEALS,
              F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
      return true;
    }
    if (errno != EBUSY || attempt == kMaxAttempts) return false;
    usleep(kPauseMicroseconds);
  }
}

}  // namespace fsload
