// Finds the plugins on this machine, without running or checking them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace fsload {

enum class SearchLocationKind : uint8_t {
  kPluginPath,     // the environment variable FSLOAD_PLUGIN_PATH
  kPythonPackage,  // a package in a Python folder
  kInstalled,      // the plugin folder of fsload's installation
};

// Returns "FSLOAD_PLUGIN_PATH", "Python package" or "plugin directory".
std::string_view Describe(SearchLocationKind kind);

// A shared object or a wheel.
struct SearchLocation {
  std::string path;
  SearchLocationKind kind;
  std::string package;  // on PyPI, if known
};

struct SearchLocations {
  std::vector<SearchLocation> found;  // earlier ones take precedence
  std::vector<std::string> problems;  // what could not be read, and why
};

// Returns all places, each file once. In Python's folders
// (loader/discovery/python_folders.h) it looks only at the known plugins
// (loader/known_plugins/known_plugins.h), packages named tensorflow_io*, and
// folders named fsload or tensorflow-plugins, at the top level or in a package.
// Thread-safe.
SearchLocations FindSearchLocations();

// Returns the wheels in `folder` itself, of each package the newest first
// (loader/wheels/wheel_order.h); none if it cannot be read.
std::vector<std::string> WheelsIn(const std::string& folder);

// Returns the plugin files at a path that a user named: the path itself, or all
// plugins and wheels in a folder; `problems` receives what cannot be read in
// there. NOT_FOUND and the like if nothing is at `path`.
absl::StatusOr<std::vector<std::string>> PluginFilesAt(
    const std::string& path, std::vector<std::string>& problems);

}  // namespace fsload
