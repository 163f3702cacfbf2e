// Where this program is, and the library that fsload is in.
#pragma once

#include <filesystem>

namespace fsload {

// Returns the path of the running program; "" if it is unknown. Thread-safe.
std::filesystem::path ProgramPath();

// Returns the path of the shared library that this code is in; "" if it is in
// the program itself. Thread-safe.
std::filesystem::path LibraryPath();

}  // namespace fsload
