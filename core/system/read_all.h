// Reads what is left of a file.
#pragma once

#include <cstddef>
#include <string>

namespace fsload {

// Reads what follows in `fd` into `contents`, at most `max` bytes. Returns
// false, with errno set, if that fails; being interrupted is no failure.
bool ReadAll(int fd, size_t max, std::string& contents);

}  // namespace fsload
