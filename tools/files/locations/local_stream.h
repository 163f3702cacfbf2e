// Local files that can be read only once, from their beginning on.
#ifndef FSLOAD_TOOLS_FILES_LOCATIONS_LOCAL_STREAM_H_
#define FSLOAD_TOOLS_FILES_LOCATIONS_LOCAL_STREAM_H_

#include <string>

#include "core/system/descriptor.h"
namespace fsload {

// Returns whether `path` is a FIFO or a character device: a pipe of the shell,
// as "/dev/fd/63" for `<(...)`, or a terminal.
bool IsStream(const std::string& path);

// Opens it for reading, without waiting for a writer: poll waits for the first
// one. None with errno if it cannot be opened.
Descriptor OpenStream(const std::string& path);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_LOCATIONS_LOCAL_STREAM_H_
