#include "loader/trust/file_errors.h"

#include <fmt/format.h>

#include <cstring>

namespace fsload {

std::string NotRegularFile(const std::string& path, bool is_directory) {
  return fmt::format("not a regular file but {}: '{}'; it is not read",
                     is_directory ? "a directory" : "a device, pipe or socket",
                     path);
}

std::string UnreadableFile(const std::string& path, int error) {
  return fmt::format("cannot read '{}': {}; there is nothing to load", path,
                     strerror(error));
}

}  // namespace fsload
