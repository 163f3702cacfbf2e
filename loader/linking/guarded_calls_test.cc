#include "loader/linking/guarded_calls.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "fsload/file_system.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"

namespace fsload {
namespace {

// Loads the plugin under the name `name`, and reads an empty file to its end.
void ReadToEnd(const std::string& name) {
  const std::filesystem::path folder = testing::TempDir();
  const std::filesystem::path path = folder / name;
  std::filesystem::copy_file("testdata/reads_no_stream.so", path,
                             std::filesystem::copy_options::overwrite_existing);
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const LoadReport report = LoadPlugin(path.string(), options);
  ASSERT_TRUE(report.status.ok()) << report.status;
  const std::string file = (folder / "empty").string();
  std::ofstream(file).close();
  const auto system = registry.Find("minimal");
  ASSERT_TRUE(system.ok()) << system.status();
  const auto opened = (*system)->NewRandomAccessFile(file);
  ASSERT_TRUE(opened.ok()) << opened.status();
  char byte;
  const absl::StatusOr<size_t> read = (*opened)->Read(0, 1, &byte);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, 0);
}

TEST(GuardedCallsTest, AKnownPluginReadsFromNoStreamWithoutACrash) {
  ReadToEnd("libtensorflow_io_plugins.so");
}

TEST(GuardedCallsDeathTest, CallsOfOtherPluginsStayTheirOwn) {
  EXPECT_DEATH(ReadToEnd("other.so"), "");
}

}  // namespace
}  // namespace fsload
