// The plugins that a user means by one word.
#ifndef FSLOAD_LOADER_DISCOVERY_NAMED_PLUGINS_H_
#define FSLOAD_LOADER_DISCOVERY_NAMED_PLUGINS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "loader/discovery/plugin_catalog.h"

namespace fsload {

struct NamedPlugins {
  std::vector<std::string> plugins;  // paths of shared objects, at least one
  bool folder = false;  // they are what is in a folder: some may be refused
  std::vector<std::string> problems;  // what could not be looked at in there
};

// What `word` leads to: the path of a shared object, which is not looked at,
// the path of a wheel, which is unpacked, or of a folder, in which shared
// objects are looked for at any depth and wheels in itself; or else the name of
// a plugin in `catalog`. NOT_FOUND for a name that nobody has and for a folder
// without plugins; FAILED_PRECONDITION for the name of a wheel that could not
// be unpacked; else fails as UnpackWheel does. Runs none of them.
absl::StatusOr<NamedPlugins> FindNamedPlugins(const std::string& word,
                                              PluginCatalog& catalog);

}  // namespace fsload

#endif  // FSLOAD_LOADER_DISCOVERY_NAMED_PLUGINS_H_
