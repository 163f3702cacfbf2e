// Walks through real plugins, and calls of a slow one with a deadline.
#include "fsload/walk.h"

#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "fsload/call_pool.h"
#include "fsload/file_system.h"
#include "fsload/subtree.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "loader/testing/test_plugins.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class WalkOfPluginTest : public ::testing::TestWithParam<const char*> {
 protected:
  WalkOfPluginTest() {
    root_ =
        GetParam() == std::string_view("memory") ? "/root" : NewTestDirectory();
    for (const char* folder : {"", "/b", "/a", "/a/empty"}) {
      const absl::Status made = files_->RecursivelyCreateDir(root_ + folder);
      EXPECT_EQ(made, absl::OkStatus());
    }
    for (const char* path : {"/b/2", "/b/1", "/a/3", "/4"}) {
      const auto file = files_->NewWritableFile(root_ + path);
      EXPECT_EQ(file.status(), absl::OkStatus());
      EXPECT_EQ((*file)->Append(path), absl::OkStatus());
      EXPECT_EQ((*file)->Close(), absl::OkStatus());
    }
  }

  std::vector<std::string> Paths(WalkOptions options) {
    options.recursive = true;
    absl::StatusOr<Walk> walk = Walk::Begin(*files_, root_, std::move(options));
    EXPECT_EQ(walk.status(), absl::OkStatus());
    std::vector<std::string> paths;
    for (;;) {
      const auto entry = walk->Next();
      EXPECT_EQ(entry.status(), absl::OkStatus());
      if (!entry.ok() || !entry->has_value()) return paths;
      EXPECT_EQ((*entry)->status, absl::OkStatus());
      paths.push_back((*entry)->path);
    }
  }

  const FileSystemPtr files_ = LoadTestPlugin(GetParam());
  std::string root_;
};

INSTANTIATE_TEST_SUITE_P(Plugins, WalkOfPluginTest,
                         ::testing::Values("posix", "minimal", "memory",
                                           "slow"),
                         [](const auto& test) {
                           return std::string(test.param);
                         });

// Names in a subtree are not those of this machine.
TEST(WalkOfSubtreeTest, TakesNoDirectoryForALinkOfThisMachine) {
  const FileSystemPtr posix = LoadTestPlugin("posix");
  const std::string here = NewTestDirectory();
  const std::string there = NewTestDirectory();
  ASSERT_EQ(symlink("/", (here + "/d").c_str()), 0);
  ASSERT_EQ(posix->RecursivelyCreateDir(there + here + "/d/inside"),
            absl::OkStatus());
  const FileSystemPtr subtree = *Subtree(posix, there, "data");
  WalkOptions options;
  options.recursive = true;
  absl::StatusOr<Walk> walk =
      Walk::Begin(*subtree, "data://" + here, std::move(options));
  ASSERT_EQ(walk.status(), absl::OkStatus());
  std::vector<std::string> paths;
  for (auto entry = walk->Next(); entry.ok() && entry->has_value();
       entry = walk->Next()) {
    paths.push_back((*entry)->path);
  }
  EXPECT_THAT(paths, ElementsAre("d", "d/inside"));
}

TEST_P(WalkOfPluginTest, HasEverythingInTheOrderOfNames) {
  for (const WalkDetail detail :
       {WalkDetail::kTypes, WalkDetail::kStatistics}) {
    WalkOptions options;
    options.detail = detail;
    EXPECT_THAT(Paths(options),
                ElementsAre("4", "a", "a/3", "a/empty", "b", "b/1", "b/2"));
  }
}

TEST_P(WalkOfPluginTest, HasEverythingInAnyOrder) {
  WalkOptions options;
  options.sorted = false;
  EXPECT_THAT(Paths(options), UnorderedElementsAre("4", "a", "a/3", "a/empty",
                                                   "b", "b/1", "b/2"));
}

TEST_P(WalkOfPluginTest, MayBeAskedWithADeadline) {
  CallPool pool;
  const auto call = [files = files_, uri = root_ + "/4"] {
    return files->Stat(uri);
  };
  const absl::StatusOr<FileStatistics> found =
      pool.Call(call, {absl::Seconds(60)});
  ASSERT_EQ(found.status(), absl::OkStatus());
  EXPECT_EQ(found->length, 2);
  // Whether it was in time or not, the plugin is released by the call's end.
  const auto late = pool.Call(call, {absl::Nanoseconds(1)});
  EXPECT_TRUE(late.ok() || absl::IsDeadlineExceeded(late.status()));
  while (pool.calls_in_progress() > 0) absl::SleepFor(absl::Milliseconds(1));
}

}  // namespace
}  // namespace fsload
