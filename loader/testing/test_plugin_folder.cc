#include "loader/testing/test_plugin_folder.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "loader/testing/test_files.h"

namespace fsload {

TestPluginFolder::TestPluginFolder() : path_(NewPath("plugins")) {
  std::filesystem::create_directories(path_);
  for (const char* name : {"PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX"}) {
    unsetenv(name);
  }
  setenv("HOME", NewPath("home").c_str(), 1);
  setenv("PATH", "/no/such", 1);
  setenv("FSLOAD_PLUGIN_PATH", path_.c_str(), 1);
}

TestPluginFolder::~TestPluginFolder() { unsetenv("FSLOAD_PLUGIN_PATH"); }

std::string TestPluginFolder::Put(const std::string& from,
                                  const std::string& file) const {
  std::string path = path_ + "/" + file;
  WriteFile(path, ReadFile(from));
  return path;
}

}  // namespace fsload
