// Why a plugin's file is not read, in words.
#ifndef FSLOAD_LOADER_TRUST_FILE_ERRORS_H_
#define FSLOAD_LOADER_TRUST_FILE_ERRORS_H_

#include <string>

namespace fsload {

// `path` is there, but no regular file.
std::string NotRegularFile(const std::string& path, bool is_directory);

// `path` cannot be read, and `error` is errno.
std::string UnreadableFile(const std::string& path, int error);

}  // namespace fsload

#endif  // FSLOAD_LOADER_TRUST_FILE_ERRORS_H_
