// A folder of plugins, the only ones that discovery finds.
#pragma once

#include <string>

#include "loader/testing/test_wheels.h"

namespace fsload {

// Makes FSLOAD_PLUGIN_PATH name a new folder, and the other variables by which
// plugins are found, including HOME and PATH, empty places. The cache is new.
// At the end FSLOAD_PLUGIN_PATH is unset.
class TestPluginFolder final {
 public:
  TestPluginFolder();
  ~TestPluginFolder();
  TestPluginFolder(const TestPluginFolder&) = delete;
  TestPluginFolder& operator=(const TestPluginFolder&) = delete;

  // Copies the file at `from` there as `file`; returns its path.
  std::string Put(const std::string& from, const std::string& file) const;

  const std::string& path() const { return path_; }
  const TestCache& cache() const { return cache_; }

 private:
  const TestCache cache_;
  const std::string path_;
};

}  // namespace fsload
