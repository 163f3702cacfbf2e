// Messages for plugin files that cannot be read, to follow their paths.
#ifndef FSLOAD_LOADER_TRUST_FILE_ERRORS_H_
#define FSLOAD_LOADER_TRUST_FILE_ERRORS_H_

#include <string>

namespace fsload {

// Reports that it exists but is not a regular file.
std::string NotRegularFile(bool is_directory);

// Reports that it cannot be read; `error` is the errno.
std::string UnreadableFile(int error);

}  // namespace fsload

#endif  // FSLOAD_LOADER_TRUST_FILE_ERRORS_H_
