#include "tools/files/locations/local_stream.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace fsload {

bool IsStream(const std::string& path) {
  struct stat found;
  return stat(path.c_str(), &found) == 0 &&
         (S_ISFIFO(found.st_mode) || S_ISCHR(found.st_mode));
}

Descriptor OpenStream(const std::string& path) {
  return Descriptor(
      open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

}  // namespace fsload
