#include "loader/trust/file_errors.h"

#include <cstring>

#include "third_party/fmt/format.h"

namespace fsload {

std::string NotRegularFile(bool is_directory) {
  return Format("is {}, not a regular file",
                is_directory ? "a directory" : "a device, pipe or socket");
}

std::string UnreadableFile(int error) {
  return Format("cannot be read: {}", strerror(error));
}

}  // namespace fsload
