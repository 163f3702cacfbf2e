// Checks for words of a command line, each of which returns what is wrong, ""
// if nothing is.
#pragma once

#include <string>

namespace fsload {

// Refuses an empty plugin name, which an unset variable leaves.
inline std::string RefuseEmpty(const std::string& name) {
  return name.empty() ? "the path is empty" : "";
}

// Does the same for a URI or a local path.
inline std::string RefuseEmptyUri(const std::string& uri) {
  return uri.empty() ? "an argument is empty (is a shell variable unset?)" : "";
}

}  // namespace fsload
