#include "loader/trust/file_errors.h"

#include <fmt/format.h>

#include <cstring>

namespace fsload {

std::string NotRegularFile(const std::string& path, bool is_directory) {
  return fmt::format("'{}' is {}, not a regular file", path,
                     is_directory ? "a directory" : "a device, pipe or socket");
}

std::string UnreadableFile(const std::string& path, int error) {
  return fmt::format("cannot read '{}': {}", path, strerror(error));
}

}  // namespace fsload
