// Names and kinds of files that a zip file's directory may contain.
#pragma once

#include <cstdint>
#include <string_view>

namespace fsload {

inline constexpr uint64_t kMaxNameBytes = 4096;  // PATH_MAX

// Returns what is wrong with a name, as text to follow it; "" if nothing. A
// valid name is a path relative to the folder it is unpacked to.
std::string_view WrongWithName(std::string_view name);

// Does the same for the kind of file, which Unix systems store in the
// directory's external attributes; zero if another system made it.
std::string_view WrongWithMode(uint64_t attributes);

}  // namespace fsload
