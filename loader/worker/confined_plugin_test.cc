#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "absl/base/config.h"
#include "core/testing/refused_calls.h"
#include "fsload/log_sink.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "fsload/whole_file.h"
#include "loader/confinement/confinement.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_processes.h"
#include "loader/worker/isolated_plugin_fixture.h"
#include "third_party/fmt/format.h"

#ifndef ABSL_HAVE_ADDRESS_SANITIZER  // which needs what is forbidden here
namespace fsload {
namespace {

using testing::HasSubstr;

// With temporary files in a directory of the test's own. The tests are skipped
// where the system cannot confine.
class ConfinedPluginTest : public IsolatedPluginTest {
 protected:
  void SetUp() override {
    if (!UnavailableConfinement().empty()) GTEST_SKIP() << "no confinement";
    mkdir(temporary_.c_str(), 0700);
    setenv("TMPDIR", temporary_.c_str(), 1);
  }
  ~ConfinedPluginTest() override { unsetenv("TMPDIR"); }

  LoadOptions Options() {
    LoadOptions options = IsolatedPluginTest::Options();
    options.isolation->confined = true;
    return options;
  }

  // Returns the workers' own directories.
  std::vector<std::string> Scratch() const {
    std::vector<std::string> paths;
    for (const auto& each : std::filesystem::directory_iterator(temporary_)) {
      paths.push_back(each.path());
    }
    return paths;
  }

  const std::string temporary_ = NewPath("temporary");
};

TEST_F(ConfinedPluginTest, WritesOnlyWhereItMay) {
  const std::string allowed = NewPath("allowed");
  const std::string other = NewPath("other");
  WriteFile(allowed + "/old", "old");
  WriteFile(other + "/old", "old");
  LoadOptions options = Options();
  options.isolation->writable_folders = {allowed};
  ASSERT_EQ(LoadPlugin("testdata/posix.so", options).status, absl::OkStatus());
  const FileSystemPtr posix = *registry_.Find("posix");
  EXPECT_EQ(WriteWholeFile(*posix, "posix://" + allowed + "/new", "x"),
            absl::OkStatus());
  EXPECT_EQ(posix->RenameFile("posix://" + allowed + "/old",
                              "posix://" + allowed + "/older"),
            absl::OkStatus());
  EXPECT_EQ(posix->CreateDir("posix://" + allowed + "/folder"),
            absl::OkStatus());
  EXPECT_EQ(*ReadWholeFile(*posix, "posix://" + other + "/old"), "old");
  const std::string scratch = Scratch().at(0);
  EXPECT_EQ(WriteWholeFile(*posix, "posix://" + scratch + "/new", "x"),
            absl::OkStatus());
  for (const absl::Status& status :
       {WriteWholeFile(*posix, "posix://" + other + "/new", "x"),
        WriteWholeFile(*posix, "posix://" + other + "/old", "x"),
        posix->DeleteFile("posix://" + other + "/old"),
        posix->RenameFile("posix://" + other + "/old",
                          "posix://" + allowed + "/taken"),
        posix->CreateDir("posix://" + other + "/folder")}) {
    EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
  }
  EXPECT_EQ(ReadFile(other + "/old"), "old");
  const absl::Status refused = posix->CreateDir("posix://" + other + "/new");
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("; the plugin is confined and writes local files to "));
}

TEST_F(ConfinedPluginTest, HasADirectoryThatEndsWithItsProcess) {
  ASSERT_EQ(LoadPlugin("testdata/memory.so", Options()).status,
            absl::OkStatus());
  const std::vector<std::string> first = Scratch();
  ASSERT_EQ(first.size(), 1);
  WriteFile(first[0] + "/folder/file", "x");
  const pid_t child = fork();
  if (child == 0) {
    const bool works =
        (*registry_.Find("memory"))->FileExists("memory:///").ok();
    const size_t folders = Scratch().size();
    static_cast<void>(registry_.RetireAll());
    _exit(works && folders == 2 && Scratch() == first ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Scratch(), first);
  KillWorker();
  EXPECT_TRUE(
      absl::IsNotFound((*registry_.Find("memory"))->FileExists("memory:///f")));
  ASSERT_EQ(Scratch().size(), 1);
  EXPECT_NE(Scratch(), first);
  EXPECT_EQ(registry_.RetireAll(), absl::OkStatus());
  EXPECT_TRUE(Scratch().empty());
}

class DeedOfConfined : public ConfinedPluginTest,
                       public testing::WithParamInterface<const char*> {};

TEST_P(DeedOfConfined, IsRefused) {
  const std::string folder = NewPath("outside");
  WriteFile(folder + "/present", "");
  LoadOptions options = Options();
  options.isolation->environment["FSLOAD_TEST_FOLDER"] = folder;
  const LoadReport report =
      LoadPlugin(Format("testdata/hostile_{}_entry.so", GetParam()), options);
  EXPECT_EQ(report.status, absl::OkStatus());
  EXPECT_NE(access((folder + "/written").c_str(), F_OK), 0);
}

INSTANTIATE_TEST_SUITE_P(Confined, DeedOfConfined,
                         testing::Values("executes", "kills_parent",
                                         "limits_parent", "writes_outside"),
                         [](const auto& deed) { return deed.param; });

TEST_F(ConfinedPluginTest, IsNotLoadedIfItCannotBeConfinedAsAsked) {
  LoadOptions options = Options();
  options.isolation->writable_folders = {"/no/such/folder"};
  absl::Status status = LoadPlugin("testdata/memory.so", options).status;
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("/no/such/folder: a plugin cannot be allowed to write "
                        "there"));
  options.isolation->confined = false;
  options.isolation->writable_folders = {"/tmp"};
  status = LoadPlugin("testdata/memory.so", options).status;
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  setenv("TMPDIR", "/no/such/folder", 1);
  options = Options();
  status = LoadPlugin("testdata/memory.so", options).status;
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("TMPDIR"));
  EXPECT_TRUE(Scratch().empty());
}

TEST_F(ConfinedPluginTest, HasItsDirectoryInTheSamePlaceWhenItStartsAgain) {
  ASSERT_EQ(LoadPlugin("testdata/memory.so", Options()).status,
            absl::OkStatus());
  setenv("TMPDIR", "/no/such/folder", 1);
  KillWorker();
  EXPECT_EQ((*registry_.Find("memory"))->CreateDir("memory:///d"),
            absl::OkStatus());
  EXPECT_EQ(Scratch().size(), 1);
}

// On an older kernel.
TEST_F(ConfinedPluginTest, IsConfinedLessWithAWarning) {
  AwaitOneThread();
  const pid_t child = fork();
  if (child == 0) {
    static auto* const lines = new std::string;
    SetLogTarget({[](const LogRecord& record, void* all) {
                    static_cast<std::string*>(all)->append(record.message);
                  },
                  lines});
    const bool refused = RefuseCalls({{SYS_landlock_create_ruleset, ENOSYS}});
    const absl::Status loaded =
        LoadPlugin("testdata/memory.so", Options()).status;
    static_cast<void>(registry_.RetireAll());
    AwaitOneThread();  // the one that logs
    const bool warned =
        lines->find("this system does not enforce: writes to a scratch") !=
        std::string::npos;
    if (!loaded.ok() || !warned) std::cerr << loaded << "\n" << *lines;
    _exit(refused && loaded.ok() && warned ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace fsload
#endif
