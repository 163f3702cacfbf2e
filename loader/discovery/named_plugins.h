// The plugins that a user names by one word.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "loader/discovery/plugin_catalog.h"

namespace fsload {

struct NamedPlugins {
  std::vector<std::string> plugins;  // paths of shared objects, at least one
  bool folder = false;  // all found in a folder: some may be refused
  std::vector<std::string> problems;  // what could not be read in there
};

// Returns the plugins named by `word`: the path of a shared object, which is
// not read; the path of a wheel, which is unpacked; the path of a folder, which
// is searched for shared objects at any depth and for wheels at the top level;
// otherwise the name of a plugin in `catalog`. NOT_FOUND for an unknown name
// and for a folder without plugins; FAILED_PRECONDITION for the name of a wheel
// that could not be unpacked; otherwise fails like UnpackWheel. Runs none of
// them.
absl::StatusOr<NamedPlugins> FindNamedPlugins(const std::string& word,
                                              PluginCatalog& catalog);

}  // namespace fsload
