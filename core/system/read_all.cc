#include "core/system/read_all.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace fsload {

bool ReadAll(int fd, size_t max, std::string& contents) {
  constexpr size_t kFirst = 4096;
  size_t size = 0;
  for (;;) {
    if (size == contents.size()) {
      contents.resize(std::min(max, std::max(kFirst, 2 * size)));
    }
    if (size == max) break;
    const ssize_t got =
        read(fd, contents.data() + size, contents.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    size += got;
  }
  contents.resize(size);
  return true;
}

}  // namespace fsload
