// What a zip file's directory may call its entries, and what kinds of files
// they may be.
#ifndef FSLOAD_LOADER_WHEELS_WHEEL_NAMES_H_
#define FSLOAD_LOADER_WHEELS_WHEEL_NAMES_H_

#include <cstdint>
#include <string_view>

namespace fsload {

inline constexpr uint64_t kMostNameBytes = 4096;  // PATH_MAX

// What is wrong with a name, to stand behind it; "" for nothing. A right one is
// a path below whatever folder it is unpacked to.
std::string_view WrongWithName(std::string_view name);

// The same of the kind of file, as Unix systems put it into the directory's
// external attributes; zero where others made it.
std::string_view WrongWithMode(uint64_t attributes);

}  // namespace fsload

#endif  // FSLOAD_LOADER_WHEELS_WHEEL_NAMES_H_
