// What words of a command line must be: checks for CLI11, which yield what is
// wrong, and "" for nothing.
#ifndef FSLOAD_TOOLS_PLUGIN_NAME_H_
#define FSLOAD_TOOLS_PLUGIN_NAME_H_

#include <cstdlib>
#include <string>

namespace fsload {

// Refuses an empty name of a plugin, as an unset variable leaves it.
inline std::string RefuseEmpty(const std::string& name) {
  return name.empty() ? "wanted a plugin's path, found an empty one" : "";
}

// The same of a URI or a local path.
inline std::string RefuseEmptyUri(const std::string& uri) {
  return uri.empty() ? "wanted a URI or a path, found an empty one" : "";
}

// Refuses what is no time for a plugin to be loaded in, in seconds.
inline std::string RefuseOddDeadline(const std::string& text) {
  const double seconds = std::strtod(text.c_str(), nullptr);
  const bool sane = seconds >= 0.1 && seconds <= 86400;  // no NaN
  return sane ? "" : "wanted 0.1 to 86400 seconds, found " + text;
}

}  // namespace fsload

#endif  // FSLOAD_TOOLS_PLUGIN_NAME_H_
