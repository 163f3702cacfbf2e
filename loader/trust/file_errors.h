// Messages for plugin files that cannot be read.
#ifndef FSLOAD_LOADER_TRUST_FILE_ERRORS_H_
#define FSLOAD_LOADER_TRUST_FILE_ERRORS_H_

#include <string>

namespace fsload {

// `path` exists but is not a regular file.
std::string NotRegularFile(const std::string& path, bool is_directory);

// `path` cannot be read; `error` is the errno.
std::string UnreadableFile(const std::string& path, int error);

}  // namespace fsload

#endif  // FSLOAD_LOADER_TRUST_FILE_ERRORS_H_
