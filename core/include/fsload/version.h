// The version of fsload. Compiles as C11 and as C++17.
//
// It is that of the library and of the command: the first number changes when
// programs that use the library may no longer compile, or scripts that use the
// command may break.
#ifndef FSLOAD_VERSION_H_
#define FSLOAD_VERSION_H_

#define FSLOAD_VERSION_MAJOR 0
#define FSLOAD_VERSION_MINOR 1
#define FSLOAD_VERSION_PATCH 0

// The same as text, "1.2.3", and as one number, 10203.
#define FSLOAD_VERSION                                                         \
  FSLOAD_VERSION_TEXT_OF(FSLOAD_VERSION_MAJOR)                                 \
  "." FSLOAD_VERSION_TEXT_OF(FSLOAD_VERSION_MINOR) "." FSLOAD_VERSION_TEXT_OF( \
      FSLOAD_VERSION_PATCH)
#define FSLOAD_VERSION_NUMBER                                  \
  (FSLOAD_VERSION_MAJOR * 10000 + FSLOAD_VERSION_MINOR * 100 + \
   FSLOAD_VERSION_PATCH)

#define FSLOAD_VERSION_TEXT_OF(number) FSLOAD_VERSION_AS_TEXT(number)
#define FSLOAD_VERSION_AS_TEXT(text) #text

#ifdef __cplusplus
#include <string_view>

#include "fsload/export.h"

namespace FSLOAD_API fsload {

inline constexpr std::string_view kVersion = FSLOAD_VERSION;

}  // namespace fsload
#endif

#endif  // FSLOAD_VERSION_H_
