// The version of fsload.
#ifndef FSLOAD_VERSION_H_
#define FSLOAD_VERSION_H_

#include <string_view>

#include "fsload/export.h"

namespace FSLOAD_API fsload {

// Of the library and of the command, as in "1.2.3": the first number changes
// when programs that use the library may no longer compile, or scripts that use
// the command may break.
inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace fsload

#endif  // FSLOAD_VERSION_H_
