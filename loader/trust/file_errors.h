// Messages for plugin files that cannot be read, to follow their paths.
#pragma once

#include <string>

namespace fsload {

// Reports that it exists but is not a regular file.
std::string NotRegularFile(bool is_directory);

// Reports that it cannot be read; `error` is the errno.
std::string UnreadableFile(int error);

}  // namespace fsload
