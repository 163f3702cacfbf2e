// What stands on a command line for a plugin.
#ifndef FSLOAD_TOOLS_PLUGIN_NAME_H_
#define FSLOAD_TOOLS_PLUGIN_NAME_H_

#include <string>

namespace fsload {

// What CLI11 takes to refuse an empty name, as an unset variable leaves it.
inline std::string RefuseEmpty(const std::string& name) {
  return name.empty() ? "wanted a plugin's path, found an empty one" : "";
}

}  // namespace fsload

#endif  // FSLOAD_TOOLS_PLUGIN_NAME_H_
