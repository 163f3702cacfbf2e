#include "loader/linking/guarded_calls.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "fsload/file_system.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"

namespace fsload {
namespace {

constexpr const char* kKnown = "libtensorflow_io_plugins.so";
constexpr const char* kUnknown = "other.so";
constexpr const char* kUploads = "uploads_again.so";

// The file system of the test plugin `plugin`, loaded under the name `name`.
FileSystemPtr LoadAs(const std::string& name, const std::string& plugin) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::copy_file("testdata/" + plugin, path,
                             std::filesystem::copy_options::overwrite_existing);
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const LoadReport report = LoadPlugin(path.string(), options);
  EXPECT_TRUE(report.status.ok()) << report.status;
  const absl::StatusOr<FileSystemPtr> found = registry.Find("minimal");
  EXPECT_TRUE(found.ok()) << found.status();
  return found.ok() ? *found : nullptr;
}

// Reads an empty file to its end.
void ReadToEnd(const std::string& name) {
  const FileSystemPtr system = LoadAs(name, "reads_no_stream.so");
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
std::string Upload(const std::string& name, const std::string& plugin) {
  const FileSystemPtr system = LoadAs(name, plugin);
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

// In processes of their own, and before the others: a plugin that is loaded
// already is not loaded again under another name.
TEST(GuardedCallsDeathTest, OtherPluginsReadFromNoStream) {
  EXPECT_DEATH(ReadToEnd(kUnknown), "");
}

TEST(GuardedCallsDeathTest, OtherPluginsSendFilesAgainFromTheirEnd) {
  EXPECT_EXIT(_exit(Upload(kUnknown, kUploads) == "########" ? 0 : 1),
              testing::ExitedWithCode(0), "");
}

TEST(GuardedCallsTest, AKnownPluginReadsFromNoStreamWithoutACrash) {
  ReadToEnd(kKnown);
}

TEST(GuardedCallsTest, AKnownPluginSendsAFileAgainFromItsBeginning) {
  EXPECT_EQ(Upload(kKnown, kUploads), "contents");
}

TEST(GuardedCallsTest, AStreamThatOnlyReadsStaysAtItsEnd) {
  EXPECT_EQ(Upload(kKnown, "reads_again.so"), "########");
}

}  // namespace
}  // namespace fsload
