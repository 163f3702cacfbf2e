#include "loader/wheels/package_name.h"

#include <string>
#include <string_view>

#include "absl/strings/ascii.h"

namespace fsload {

std::string NormalPackageName(std::string_view name) {
  std::string normal;
  bool in_run = false;  // of separators, which count as one
  for (const char letter : name) {
    const bool separates = letter == '-' || letter == '_' || letter == '.';
    if (!separates || !in_run) {
      normal += separates ? '-' : absl::ascii_tolower(letter);
    }
    in_run = separates;
  }
  return normal;
}

}  // namespace fsload
