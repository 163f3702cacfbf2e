#include "loader/discovery/search_locations.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/system/own_paths.h"
#include "loader/discovery/python_folders.h"
#include "loader/known_plugins/known_plugins.h"
#include "loader/static_pass/plugin_search.h"
#include "loader/trust/base_name.h"
#include "loader/wheels/package_name.h"
#include "loader/wheels/wheel_file.h"
#include "loader/wheels/wheel_order.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;

// In the order of SearchLocationKind.
constexpr std::string_view kKinds[] = {"FSLOAD_PLUGIN_PATH", "Python package",
                                       "plugin directory"};

// The plugin folders of fsload's installation. A library may lie in a folder of
// its architecture, such as lib/x86_64-linux-gnu.
std::vector<std::string> FoldersOfInstallation() {
  std::vector<std::string> folders;
  if (const fs::path program = ProgramPath().parent_path(); !program.empty()) {
    folders = {program.parent_path() / "lib/fsload/plugins",
               program / "plugins"};
  }
  if (const fs::path library = LibraryPath().parent_path(); !library.empty()) {
    folders.push_back(library / "fsload/plugins");
    folders.push_back(library.parent_path() / "fsload/plugins");
  }
  return folders;
}

class Search {
 public:
  SearchLocations Run() {
    for (const std::string& path : PathsIn("FSLOAD_PLUGIN_PATH")) Named(path);
    for (const std::string& folder : FoldersOfPython()) Python(folder);
    for (const std::string& folder : FoldersOfInstallation()) {
      if (IsFolder(folder)) Below(folder, SearchLocationKind::kInstalled, "");
    }
    return std::move(locations_);
  }

 private:
  static bool IsFolder(const std::string& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
  }

  // Whether this file or folder is new, under any name.
  bool IsNew(const std::string& path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0 &&
           seen_.insert({status.st_dev, status.st_ino}).second;
  }

  void Add(const std::string& path, SearchLocationKind kind,
           const std::string& package) {
    if (!IsNew(path)) return;
    const KnownPlugin* const known = KnownPluginAt(path);
    locations_.found.push_back({path, kind,
                                IsWheelName(path)  ? PackageOfWheel(path)
                                : known != nullptr ? std::string(known->package)
                                                   : package});
  }

  void Below(const std::string& path, SearchLocationKind kind,
             const std::string& package) {
    const auto files = PluginFilesAt(path, locations_.problems);
    if (!files.ok()) {
      locations_.problems.emplace_back(files.status().message());
      return;
    }
    for (const std::string& file : *files) Add(file, kind, package);
  }

  void Named(const std::string& path) {
    if (access(path.c_str(), F_OK) == 0) {
      Below(path, SearchLocationKind::kPluginPath, "");
    } else {
      locations_.problems.push_back(
          Format("FSLOAD_PLUGIN_PATH: '{}' does not exist", path));
    }
  }

  // One of Python's folders.
  void Python(const std::string& folder) {
    if (!IsFolder(folder) || !IsNew(folder)) return;
    std::set<std::string> known_packages;
    for (const KnownPlugin& plugin : KnownPlugins()) {
      const std::string path = folder + "/" + std::string(plugin.path);
      if (access(path.c_str(), F_OK) != 0) continue;
      Add(path, SearchLocationKind::kPythonPackage, "");
      known_packages.emplace(plugin.path.substr(0, plugin.path.find('/')));
    }
    for (const std::string& package : FoldersIn(folder, "")) {
      const std::string name = fs::path(package).filename();
      const bool holds_plugins =
          name == "tensorflow-plugins" ||
          (name.rfind("tensorflow_io", 0) == 0 &&
           name.find('.') == std::string::npos &&  // no *.dist-info, *.libs
           known_packages.count(name) == 0);
      if (holds_plugins) Package(package, package);
      Package(package + "/fsload", package);
      Package(package + "/tensorflow-plugins", package);
    }
  }

  void Package(const std::string& folder, const std::string& package) {
    if (!IsFolder(folder)) return;
    Below(folder, SearchLocationKind::kPythonPackage,
          NormalPackageName(BaseName(package)));
  }

  SearchLocations locations_;
  std::set<std::pair<dev_t, ino_t>> seen_;
};

}  // namespace

std::string_view Describe(SearchLocationKind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

SearchLocations FindSearchLocations() { return Search().Run(); }

std::vector<std::string> WheelsIn(const std::string& folder) {
  std::vector<std::string> wheels;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (IsWheelName(entry->path().string())) wheels.push_back(entry->path());
  }
  std::sort(wheels.begin(), wheels.end(), &WheelComesBefore);
  return wheels;
}

absl::StatusOr<std::vector<std::string>> PluginFilesAt(
    const std::string& path, std::vector<std::string>& problems) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return ErrnoError(error ? error.value() : ENOENT, "no plugin at '{}'",
                      path);
  }
  if (!fs::is_directory(status)) return std::vector<std::string>{path};
  absl::StatusOr<FoundPlugins> found = FindPlugins(path);
  if (!found.ok()) return found.status();
  std::vector<std::string> files = std::move(found->plugins);
  const std::vector<std::string> wheels = WheelsIn(path);
  files.insert(files.end(), wheels.begin(), wheels.end());
  problems.insert(problems.end(), found->unreadable.begin(),
                  found->unreadable.end());
  problems.insert(problems.end(), found->irregular.begin(),
                  found->irregular.end());
  return files;
}

}  // namespace fsload
