// Whole plugins, recorded and replayed: all of their operations answer as
// before, without them.
#include "fsload/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "fsload/file_system.h"
#include "fsload/plugin_loader.h"
#include "fsload/recorder.h"
#include "fsload/scheme_registry.h"

namespace fsload {
namespace {

std::string Joined(const absl::StatusOr<std::vector<std::string>>& names) {
  if (!names.ok()) return names.status().ToString();
  std::string text;
  for (const std::string& each : *names) text += each + " ";
  return text;
}

// What a program sees of each operation on and below `root`, which is empty.
std::string AllOperations(const FileSystem& files, const std::string& root) {
  std::ostringstream seen;
  seen << files.RecursivelyCreateDir(root + "/a/b") << "\n";
  for (const char* const name : {"/a/f", "/a/b/g"}) {
    const auto out = files.NewWritableFile(root + name);
    seen << out.status();
    if (!out.ok()) continue;
    seen << (*out)->Append("some text") << (*out)->Tell().value_or(-1)
         << (*out)->Flush() << (*out)->Sync() << (*out)->Close() << "\n";
  }
  if (const auto out = files.NewAppendableFile(root + "/a/f"); out.ok()) {
    seen << (*out)->Append(" and more") << (*out)->Close() << "\n";
  }
  const auto region = files.NewReadOnlyMemoryRegionFromFile(root + "/a/f");
  seen << region.status();
  if (region.ok()) {
    seen << std::string(static_cast<const char*>((*region)->data()),
                        (*region)->length());
  }
  char buffer[64];
  if (const auto in = files.NewRandomAccessFile(root + "/a/f"); in.ok()) {
    const auto bytes = (*in)->Read(5, sizeof(buffer), buffer);
    seen << std::string(buffer, bytes.value_or(0)) << "\n";
  }
  seen << Joined(files.GetChildren(root + "/a")) << "\n"
       << Joined(files.GetMatchingPaths(root + "/*/*")) << "\n"
       << files.RenameFile(root + "/a/f", root + "/a/h")
       << files.CopyFile(root + "/a/h", root + "/a/i") << "\n"
       << files.GetFileSize(root + "/a/i").value_or(-1)
       << files.IsDirectory(root + "/a/i").value_or(true)
       << files.FileExists(root + "/a/f") << "\n";
  for (const absl::Status& each : files.FilesExist(
           std::vector<std::string>{root + "/a/h", root + "/none"})) {
    seen << each << "\n";
  }
  const auto found = files.Stat(root + "/a/h");
  seen << found.status() << (found.ok() ? found->mtime_nsec : -1) << "\n";
  auto transaction = files.StartTransaction();
  seen << transaction.status() << "\n";
  if (transaction.ok()) {
    seen << files.AddToTransaction(root + "/a/h", transaction->token())
         << files.GetTransactionForPath(root + "/a/h").status()
         << transaction->End() << "\n";
  }
  const auto token = files.GetTokenOrStartTransaction(root + "/a/i");
  seen << token.status() << "\n";
  if (token.ok()) seen << files.EndTransaction(*token) << "\n";
  seen << Joined(files.GetFilesystemConfigurationKeys()) << "\n"
       << files.FlushCaches() << files.DeleteFile(root + "/a/h")
       << files.DeleteDir(root + "/a") << "\n";
  Undeleted left;
  seen << files.DeleteRecursively(root + "/a", &left) << left.files
       << left.directories << files.Stat(root + "/a").status() << "\n";
  return seen.str();
}

struct Recorded {
  const char* plugin;
  std::string root;
};

class ReplayedPluginTest : public testing::TestWithParam<Recorded> {
 protected:
  ReplayedPluginTest() {
    std::remove(path_.c_str());
    std::filesystem::remove_all(testing::TempDir() + "/files");
    std::filesystem::create_directory(testing::TempDir() + "/files");
  }

  const std::string path_ = testing::TempDir() + "/journal";
};

TEST_P(ReplayedPluginTest, AnswersAsBefore) {
  const std::string& root = GetParam().root;
  std::string before;
  {
    SchemeRegistry registry;
    const auto recorder = Recorder::Create(path_);
    ASSERT_TRUE(recorder.ok()) << recorder.status();
    LoadOptions options;
    options.registry = &registry;
    options.trust_untested = true;
    options.wrap = [&](FileSystemPtr loaded) {
      return RecordCalls(std::move(loaded), *recorder);
    };
    const std::string path =
        "testdata/" + std::string(GetParam().plugin) + ".so";
    ASSERT_EQ(LoadPlugin(path, options).status, absl::OkStatus());
    // The same plugin once more is no other plugin.
    ASSERT_EQ(LoadPlugin(path, options).status, absl::OkStatus());
    before = AllOperations(**registry.Resolve(root), root);
    ASSERT_EQ(registry.RetireAll(absl::Seconds(10)), absl::OkStatus());
    ASSERT_EQ((*recorder)->status(), absl::OkStatus());
  }
  EXPECT_THAT(before, testing::HasSubstr("text and more"));
  std::filesystem::remove_all(testing::TempDir() + "/files");
  const auto journal = Journal::Read(path_);
  ASSERT_TRUE(journal.ok()) << journal.status();
  const auto file_systems = journal->Replay();
  ASSERT_TRUE(file_systems.ok());
  ASSERT_EQ(file_systems->size(), 1);
  EXPECT_EQ(AllOperations(*file_systems->front(), root), before);
}

INSTANTIATE_TEST_SUITE_P(
    Plugins, ReplayedPluginTest,
    testing::Values(
        Recorded{"memory", "memory://host/files"},
        Recorded{"memory_176", "memory://host/old"},
        Recorded{"posix", "posix://" + testing::TempDir() + "/files"},
        Recorded{"slow", "slow://" + testing::TempDir() + "/files"},
        Recorded{"minimal", "minimal://" + testing::TempDir() + "/files"}),
    [](const auto& parameter) { return std::string(parameter.param.plugin); });

TEST(ReplayedPlugin, DoesNotTellTheValuesOfOptions) {
  const std::string path = testing::TempDir() + "/journal";
  std::remove(path.c_str());
  SchemeRegistry registry;
  const auto recorder = Recorder::Create(path);
  ASSERT_TRUE(recorder.ok()) << recorder.status();
  LoadOptions options;
  options.registry = &registry;
  options.trust_untested = true;
  options.wrap = [&](FileSystemPtr loaded) {
    return RecordCalls(std::move(loaded), *recorder);
  };
  ASSERT_EQ(LoadPlugin("testdata/memory.so", options).status, absl::OkStatus());
  {
    const FileSystemPtr files = *registry.Find("memory");
    EXPECT_TRUE(files->GetFilesystemConfiguration().ok());
    EXPECT_TRUE(files->GetFilesystemConfigurationOption("block_size").ok());
  }
  const auto journal = Journal::Read(path);
  ASSERT_TRUE(journal.ok()) << journal.status();
  const FileSystemPtr files = journal->Replay()->front();
  EXPECT_EQ(files->GetFilesystemConfigurationOption("block_size").status(),
            absl::UnavailableError(
                "block_size: values of options, which may be secret, are not "
                "recorded (get_filesystem_configuration_option)"));
  EXPECT_TRUE(
      absl::IsUnavailable(files->GetFilesystemConfiguration().status()));
  EXPECT_EQ(registry.RetireAll(absl::Seconds(10)), absl::OkStatus());
}

TEST(WrappedPlugin, IsNotRegisteredIfWrappingFails) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  options.trust_untested = true;
  options.wrap = [](const FileSystemPtr&) {
    return absl::ResourceExhaustedError("no more");
  };
  const LoadReport report = LoadPlugin("testdata/minimal.so", options);
  EXPECT_THAT(std::string(report.status.message()),
              testing::HasSubstr("no more"));
  EXPECT_TRUE(registry.Schemes().empty());
}

}  // namespace
}  // namespace fsload
