#include "loader/linking/guarded_calls.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "fsload/file_system.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"

namespace fsload {
namespace {

// The file system of a test plugin.
FileSystemPtr LoadTestPlugin(const std::string& plugin) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const LoadReport report = LoadPlugin("testdata/" + plugin, options);
  EXPECT_TRUE(report.status.ok()) << report.status;
  const absl::StatusOr<FileSystemPtr> found = registry.Find("minimal");
  EXPECT_TRUE(found.ok()) << found.status();
  return found.ok() ? *found : nullptr;
}

// Reads an empty file to its end.
void ReadToEnd(const std::string& plugin) {
  const FileSystemPtr system = LoadTestPlugin(plugin);
  ASSERT_NE(system, nullptr);
  const std::string file = testing::TempDir() + "/empty";
  std::ofstream(file).close();
  const auto opened = system->NewRandomAccessFile(file);
  ASSERT_TRUE(opened.ok()) << opened.status();
  char byte;
  const absl::StatusOr<size_t> read = (*opened)->Read(0, 1, &byte);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, 0);
}

// What is in a file after "contents" were written to it by the test plugin
// `plugin`.
std::string Upload(const std::string& plugin) {
  const FileSystemPtr system = LoadTestPlugin(plugin);
  if (system == nullptr) return "";
  const std::string path = testing::TempDir() + "/uploaded";
  const auto opened = system->NewWritableFile(path);
  EXPECT_TRUE(opened.ok()) << opened.status();
  if (!opened.ok()) return "";
  EXPECT_EQ((*opened)->Append("contents"), absl::OkStatus());
  EXPECT_EQ((*opened)->Close(), absl::OkStatus());
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

TEST(GuardedCallsDeathTest, OtherPluginsReadFromNoStream) {
  EXPECT_DEATH(ReadToEnd("reads_no_stream.so"), "");
}

TEST(GuardedCallsDeathTest, OtherPluginsSendFilesAgainFromTheirEnd) {
  EXPECT_EXIT(_exit(Upload("uploads_again.so") == "########" ? 0 : 1),
              testing::ExitedWithCode(0), "");
}

TEST(GuardedCallsTest, AKnownPluginReadsFromNoStreamWithoutACrash) {
  ReadToEnd("known_reads_no_stream.so");
}

TEST(GuardedCallsTest, AKnownPluginSendsAFileAgainFromItsBeginning) {
  EXPECT_EQ(Upload("known_uploads_again.so"), "contents");
}

TEST(GuardedCallsTest, AStreamThatOnlyReadsStaysAtItsEnd) {
  EXPECT_EQ(Upload("known_reads_again.so"), "########");
}

}  // namespace
}  // namespace fsload
