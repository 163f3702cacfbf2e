// What words of a command line must be: checks that yield what is wrong, and
// "" for nothing, and limits.
#ifndef FSLOAD_TOOLS_CLI_PLUGIN_NAME_H_
#define FSLOAD_TOOLS_CLI_PLUGIN_NAME_H_

#include <string>

namespace fsload {

// Refuses an empty name of a plugin, as an unset variable leaves it.
inline std::string RefuseEmpty(const std::string& name) {
  return name.empty() ? "the path is empty" : "";
}

// The same of a URI or a local path.
inline std::string RefuseEmptyUri(const std::string& uri) {
  return uri.empty() ? "the URI or path is empty" : "";
}

// For a plugin to be loaded in, in seconds.
inline constexpr double kShortestDeadline = 0.1;
inline constexpr double kLongestDeadline = 86400;

}  // namespace fsload

#endif  // FSLOAD_TOOLS_CLI_PLUGIN_NAME_H_
