#include "loader/trust/file_errors.h"

#include <fmt/format.h>

#include <cstring>

namespace fsload {

std::string NotRegularFile(bool is_directory) {
  return fmt::format("is {}, not a regular file",
                     is_directory ? "a directory" : "a device, pipe or socket");
}

std::string UnreadableFile(int error) {
  return fmt::format("cannot be read: {}", strerror(error));
}

}  // namespace fsload
