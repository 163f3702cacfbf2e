// Where this machine has plugins. Nothing of them is run or judged here.
#ifndef FSLOAD_LOADER_DISCOVERY_PLUGIN_PLACES_H_
#define FSLOAD_LOADER_DISCOVERY_PLUGIN_PLACES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace fsload {

enum class PlaceKind : uint8_t {
  kPluginPath,     // the environment variable FSLOAD_PLUGIN_PATH
  kPythonPackage,  // a package in a folder of Python's
  kInstalled,      // the plugin folder of fsload's installation
};

// "FSLOAD_PLUGIN_PATH", "Python package" or "plugin folder".
std::string_view Describe(PlaceKind kind);

// A shared object or a wheel.
struct PluginPlace {
  std::string path;
  PlaceKind kind;
  std::string package;  // of PyPI, where known
};

struct PluginPlaces {
  std::vector<PluginPlace> found;     // who comes first goes before others
  std::vector<std::string> problems;  // what could not be looked at, and why
};

// All of them, each file once. Python is not started: its folders are those of
// PYTHONPATH, VIRTUAL_ENV, CONDA_PREFIX, of the first python3 in PATH, of this
// user, of /usr/local and of /usr. In each, the plugins that are known
// (loader/known_plugins/known_plugins.h), packages named tensorflow_io*, and
// folders named fsload or tensorflow-plugins, by themselves or in a package,
// are looked at, and nothing else. From any thread.
PluginPlaces FindPluginPlaces();

// The wheels in `folder` itself, sorted; none where it cannot be read.
std::vector<std::string> WheelsIn(const std::string& folder);

// What a path leads to that somebody named: itself, or all plugins and wheels
// in a folder; `problems` gets what cannot be read in there. NOT_FOUND and the
// like when there is nothing at `path`.
absl::StatusOr<std::vector<std::string>> PluginFilesAt(
    const std::string& path, std::vector<std::string>& problems);

}  // namespace fsload

#endif  // FSLOAD_LOADER_DISCOVERY_PLUGIN_PLACES_H_
