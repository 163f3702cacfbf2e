#include "loader/discovery/python_folders.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/strings/str_split.h"
#include "compat/environment.h"

namespace fsload {
namespace {

namespace fs = std::filesystem;

std::string Variable(const char* name) {
  const char* const value = EnvironmentVariable(name);
  return value == nullptr ? "" : value;
}

// Where a python3 in PATH is installed: /usr for /usr/bin/python3.
std::string PrefixOfPython() {
  for (const std::string& folder : PathsIn("PATH")) {
    const std::string python = folder + "/python3";
    if (access(python.c_str(), X_OK) == 0) {
      // Without the slashes that `folder` may end with.
      return fs::path(python).parent_path().parent_path();
    }
  }
  return "";
}

}  // namespace

std::vector<std::string> FoldersIn(const std::string& folder,
                                   std::string_view prefix) {
  std::vector<std::string> folders;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    const std::string name = entry->path().filename();
    if (name.compare(0, prefix.size(), prefix) == 0 &&
        entry->is_directory(ignored)) {
      folders.push_back(entry->path());
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::vector<std::string> FoldersOfPython() {
  std::vector<std::string> folders = PathsIn("PYTHONPATH");
  const std::string home = Variable("HOME");
  const std::string prefixes[] = {
      Variable("VIRTUAL_ENV"),
      Variable("CONDA_PREFIX"),
      PrefixOfPython(),
      home.empty() ? "" : home + "/.local",
      "/usr/local",
      "/usr",
  };
  for (const std::string& prefix : prefixes) {
    if (prefix.empty()) continue;
    for (const char* library : {"/lib", "/lib64"}) {
      for (const std::string& python : FoldersIn(prefix + library, "python3")) {
        folders.push_back(python + "/site-packages");
        folders.push_back(python + "/dist-packages");
      }
    }
  }
  return folders;
}

std::vector<std::string> PathsIn(const char* name) {
  std::vector<std::string> paths;
  for (const auto& path : absl::StrSplit(Variable(name), ':')) {
    if (!path.empty()) paths.emplace_back(path.data(), path.size());
  }
  return paths;
}

}  // namespace fsload
