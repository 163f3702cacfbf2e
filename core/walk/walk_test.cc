#include "fsload/walk.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/testing/allocation_count.h"
#include "core/testing/local_files.h"
#include "core/testing/memory_tree.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/file_system.h"
#include "fsload/filesystem_interface.h"
#include "fsload/op.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAreArray;

std::vector<WalkEntry> All(Walk& walk) {
  std::vector<WalkEntry> entries;
  for (;;) {
    absl::StatusOr<std::optional<WalkEntry>> entry = walk.Next();
    EXPECT_EQ(entry.status(), absl::OkStatus());
    if (!entry.ok() || !entry->has_value()) return entries;
    entries.push_back(**std::move(entry));
  }
}

std::vector<WalkEntry> WalkAll(const FileSystem& files, const std::string& uri,
                               const WalkOptions& options) {
  absl::StatusOr<Walk> walk = Walk::Begin(files, uri, options);
  EXPECT_EQ(walk.status(), absl::OkStatus());
  return walk.ok() ? All(*walk) : std::vector<WalkEntry>();
}

std::vector<std::string> PathsOf(const std::vector<WalkEntry>& entries) {
  std::vector<std::string> paths;
  for (const WalkEntry& entry : entries) paths.push_back(entry.path);
  return paths;
}

WalkOptions Recursive(WalkDetail detail = WalkDetail::kStatistics) {
  WalkOptions options;
  options.detail = detail;
  options.recursive = true;
  return options;
}

class WalkTest : public ::testing::Test {
 protected:
  MemoryTree tree_;
  const FileSystemPtr files_ = tree_.Open();
};

TEST_F(WalkTest, HasEachDirectoryBeforeItsContentsAndTheseBeforeItsSibling) {
  for (const char* path :
       {"/r/b/y", "/r/b/x", "/r/c", "/r/a/d/e", "/r/b.", "/s"}) {
    tree_.AddFile(path);
  }
  EXPECT_THAT(PathsOf(WalkAll(*files_, "/r", Recursive())),
              ElementsAre("a", "a/d", "a/d/e", "b", "b/x", "b/y", "b.", "c"));
  EXPECT_THAT(PathsOf(WalkAll(*files_, "/r", {})),
              ElementsAre("a", "b", "b.", "c"));
}

TEST_F(WalkTest, LooksUpOnlyWhatIsAskedFor) {
  tree_.AddFile("/r/a", "12345");
  tree_.AddDirectory("/r/b");
  const auto found = [&](WalkDetail detail) {
    WalkOptions options;
    options.detail = detail;
    return WalkAll(*files_, "/r", options);
  };
  EXPECT_THAT(found(WalkDetail::kNames), SizeIs(2));
  EXPECT_EQ(tree_.calls(), 1);
  EXPECT_TRUE(found(WalkDetail::kTypes)[1].found->is_directory);
  EXPECT_EQ(tree_.calls(Op::kFilesystem_is_directory), 2);
  EXPECT_EQ(tree_.calls(Op::kFilesystem_stat), 0);
  EXPECT_EQ(found(WalkDetail::kStatistics)[0].found->length, 5);
  EXPECT_EQ(tree_.calls(Op::kFilesystem_stat), 2);
}

TEST_F(WalkTest, OfAnEmptyDirectoryHasNoEntries) {
  tree_.AddDirectory("/r");
  EXPECT_THAT(WalkAll(*files_, "/r", Recursive()), IsEmpty());
}

TEST_F(WalkTest, FailsAsListingItsStartDoes) {
  EXPECT_TRUE(absl::IsNotFound(Walk::Begin(*files_, "/none").status()));
}

TEST_F(WalkTest, GoesOnAfterAnEntryThatCannotBeExaminedOrListed) {
  for (const char* path : {"/r/a", "/r/b/x", "/r/c"}) tree_.AddFile(path);
  tree_.AddChild("/r", "gone");
  // get_children of the start, stat of a and b, get_children of b.
  tree_.fault = {4, Fault::When::kBefore, TF_PERMISSION_DENIED};
  WalkOptions options = Recursive();
  options.jobs = 1;
  const std::vector<WalkEntry> entries = WalkAll(*files_, "/r", options);
  ASSERT_THAT(PathsOf(entries), ElementsAre("a", "b", "c", "gone"));
  EXPECT_TRUE(entries[1].found->is_directory);
  EXPECT_TRUE(absl::IsPermissionDenied(entries[1].status));
  EXPECT_FALSE(entries[3].found.has_value());
  EXPECT_TRUE(absl::IsNotFound(entries[3].status));
}

// As the s3 plugin does for denied access and failing servers.
TEST_F(WalkTest, DoesNotBelieveAStoreThatOnceDeniesADirectory) {
  SchemeTables tables = MemoryTree::Tables();
  tables.traits.reading_tells = true;
  const FileSystemPtr store = tree_.Open(tables);
  tree_.AddFile("/r/a/x");
  for (const WalkDetail detail :
       {WalkDetail::kTypes, WalkDetail::kStatistics}) {
    tree_.ForgetCalls();
    // get_children of the start, then the question about a.
    tree_.fault = {2, Fault::When::kBefore, TF_NOT_FOUND};
    WalkOptions options = Recursive(detail);
    options.jobs = 1;
    const std::vector<WalkEntry> entries = WalkAll(*store, "/r", options);
    ASSERT_THAT(PathsOf(entries), ElementsAre("a", "a/x"));
    EXPECT_EQ(entries[0].status, absl::OkStatus());
  }
}

TEST_F(WalkTest, TellsThatItIsUnknownWhatAStoreDeniesEachTime) {
  SchemeTables tables = MemoryTree::Tables();
  tables.traits.reading_tells = true;
  tables.filesystem.is_directory = [](const TF_Filesystem*, const char*,
                                      TF_Status* status) {
    TF_SetStatus(status, TF_NOT_FOUND, "HEAD: 403");
    return false;
  };
  tables.filesystem.stat = [](const TF_Filesystem*, const char*,
                              TF_FileStatistics*, TF_Status* status) {
    TF_SetStatus(status, TF_NOT_FOUND, "HEAD: 403");
  };
  tables.filesystem.new_random_access_file =
      [](const TF_Filesystem*, const char*, TF_RandomAccessFile*,
         TF_Status* status) { TF_SetStatus(status, TF_NOT_FOUND, "no key"); };
  tree_.AddFile("/r/a/x");
  const FileSystemPtr store = tree_.Open(tables);
  for (const WalkDetail detail :
       {WalkDetail::kTypes, WalkDetail::kStatistics}) {
    const std::vector<WalkEntry> entries =
        WalkAll(*store, "/r", Recursive(detail));
    ASSERT_THAT(PathsOf(entries), ElementsAre("a"));
    EXPECT_TRUE(absl::IsUnavailable(entries[0].status)) << entries[0].status;
  }
}

TEST_F(WalkTest, ReportsNamesThatLeadElsewhere) {
  tree_.AddFile("/secret");
  tree_.AddDirectory("/r");
  for (const char* name : {"..", "../secret", "a/b", ""}) {
    tree_.AddChild("/r", name);
  }
  for (const WalkEntry& entry : WalkAll(*files_, "/r", Recursive())) {
    EXPECT_FALSE(entry.found.has_value()) << entry.path;
    EXPECT_FALSE(entry.status.ok()) << entry.path;
  }
  EXPECT_EQ(tree_.calls(Op::kFilesystem_stat), 0);
}

// Each directory of a server that does not know links lists itself.
TEST(WalkOfAScriptedPluginTest, AsksLittleOfADirectoryThatContainsItself) {
  ScriptedPlugin plugin;
  plugin.recording = false;
  plugin.statistics.is_directory = true;
  plugin.get_children = [](char*** entries, TF_Status*) {
    *entries = PluginMemory::DuplicateAll({"r"});
    return 1;
  };
  const FileSystemPtr files = plugin.Create();
  absl::StatusOr<Walk> walk = Walk::Begin(*files, "scripted:///r", Recursive());
  ASSERT_TRUE(walk.ok());
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(walk->Next()->value().status.code(), absl::StatusCode::kOk);
  ASSERT_LT(plugin.Count(Op::kFilesystem_stat), 10'000);
  const std::vector<WalkEntry> rest = All(*walk);
  ASSERT_THAT(rest, SizeIs(900));
  EXPECT_TRUE(absl::IsFailedPrecondition(rest.back().status));
  EXPECT_LT(plugin.Count(Op::kFilesystem_stat), 20'000);
}

TEST_F(WalkTest, EndsWithTheErrorOfItsCaller) {
  for (int i = 0; i < 300; ++i) tree_.AddFile(Format("/r/{}", i));
  std::atomic<int> calls{0};
  WalkOptions options = Recursive();
  options.before_call = [&] {
    return ++calls > 150 ? absl::CancelledError("enough") : absl::OkStatus();
  };
  absl::StatusOr<Walk> walk = Walk::Begin(*files_, "/r", options);
  ASSERT_TRUE(walk.ok());
  int entries = 0;
  absl::StatusOr<std::optional<WalkEntry>> entry = walk->Next();
  for (; entry.ok() && entry->has_value(); entry = walk->Next()) ++entries;
  EXPECT_EQ(entry.status(), absl::CancelledError("enough"));
  EXPECT_LE(entries, 150);
  EXPECT_EQ(walk->Next().status(), absl::CancelledError("enough"));
}

TEST_F(WalkTest, MayBeDroppedAtAnyTime) {
  for (int i = 0; i < 200; ++i) tree_.AddFile(Format("/r/{}/x", i));
  for (int taken = 0; taken < 100; taken += 7) {
    absl::StatusOr<Walk> walk = Walk::Begin(*files_, "/r", Recursive());
    ASSERT_TRUE(walk.ok());
    for (int i = 0; i < taken; ++i) EXPECT_TRUE(walk->Next()->has_value());
  }
}

TEST_F(WalkTest, StartsABoundedNumberOfThreads) {
  for (int i = 0; i < 300; ++i) tree_.AddFile(Format("/r/{}", i));
  tree_.after_call = [](Op, uint64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  WalkOptions options = Recursive();
  options.jobs = SIZE_MAX;
  absl::StatusOr<Walk> walk = Walk::Begin(*files_, "/r", options);
  ASSERT_TRUE(walk.ok());
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(walk->Next()->has_value());
  std::filesystem::directory_iterator threads("/proc/self/task");
  const auto count = std::distance(begin(threads), end(threads));
  EXPECT_GT(count, 2);
  EXPECT_LT(count, 300);
}

TEST_F(WalkTest, TellsOfAnEntryForWhichThePluginEndedTheThread) {
  for (int i = 0; i < 100; ++i) tree_.AddFile(Format("/r/{:02}", i));
  const std::thread::id self = std::this_thread::get_id();
  tree_.after_call = [&](Op op, uint64_t) {
    if (op != Op::kFilesystem_stat) return;
    if (std::this_thread::get_id() != self) pthread_exit(nullptr);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  };
  size_t ended = 0;
  const std::vector<WalkEntry> entries = WalkAll(*files_, "/r", Recursive());
  for (const WalkEntry& entry : entries) {
    if (entry.status.ok()) continue;
    EXPECT_THAT(std::string(entry.status.message()),
                HasSubstr("ended the thread"));
    ++ended;
  }
  EXPECT_THAT(entries, SizeIs(100));
  EXPECT_GT(ended, 0);
}

TEST_F(WalkTest, ThrowsInTheCallersThreadThatAnotherHasNoMemory) {
  for (int i = 0; i < 100; ++i) tree_.AddFile(Format("/r/{:02}", i));
  const std::thread::id self = std::this_thread::get_id();
  tree_.after_call = [&](Op, uint64_t) {
    if (std::this_thread::get_id() != self) AllowAllocations(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  EXPECT_THROW(WalkAll(*files_, "/r", Recursive()), std::bad_alloc);
}

// A tree on disk; links lead back and to nothing.
class WalkOnDiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/walkXXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    top_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(top_); }

  // Adds `entries` at random places; returns them all with their lengths, -1
  // for a directory.
  std::map<std::string, int64_t> Grow(int entries) {
    std::map<std::string, int64_t> made;
    std::vector<std::string> folders = {""};
    std::minstd_rand random(1);
    for (int i = 0; i < entries; ++i) {
      const std::string path =
          folders[random() % folders.size()] + Format("{}", random());
      if (random() % 4 == 0) {
        std::filesystem::create_directory(top_ / path);
        folders.push_back(path + "/");
        made[path] = -1;
      } else {
        made[path] = static_cast<int64_t>(random() % 100);
        std::ofstream(top_ / path) << std::string(made[path], 'x');
      }
    }
    return made;
  }

  std::filesystem::path top_;
  const FileSystemPtr files_ = OpenLocalFiles();
};

TEST_F(WalkOnDiskTest, HasEverythingOnceForAnyNumberOfJobs) {
  const std::map<std::string, int64_t> made = Grow(1000);
  for (const size_t jobs : {1, 2, 8, 100}) {
    for (const bool sorted : {true, false}) {
      WalkOptions options = Recursive();
      options.jobs = jobs;
      options.sorted = sorted;
      std::map<std::string, int64_t> met;
      for (const WalkEntry& entry : WalkAll(*files_, top_, options)) {
        ASSERT_TRUE(entry.found.has_value()) << entry.status;
        const std::string above =
            std::filesystem::path(entry.path).parent_path();
        EXPECT_TRUE(above.empty() || met.count(above) == 1) << entry.path;
        const int64_t length =
            entry.found->is_directory ? -1 : entry.found->length;
        EXPECT_TRUE(met.emplace(entry.path, length).second) << entry.path;
      }
      EXPECT_THAT(met, ElementsAreArray(made)) << jobs << " " << sorted;
    }
  }
}

TEST_F(WalkOnDiskTest, IsInTheSameOrderForAnyNumberOfJobs) {
  Grow(500);
  WalkOptions options = Recursive(WalkDetail::kTypes);
  options.jobs = 1;
  const std::vector<std::string> expected =
      PathsOf(WalkAll(*files_, top_, options));
  options.jobs = 16;
  EXPECT_THAT(PathsOf(WalkAll(*files_, top_, options)),
              ElementsAreArray(expected));
}

TEST_F(WalkOnDiskTest, DoesNotFollowLinksThatLeadBack) {
  std::filesystem::create_directories(top_ / "a/b");
  std::filesystem::create_directory_symlink("..", top_ / "a/up");
  std::filesystem::create_symlink("nothing", top_ / "dangling");
  std::map<std::string, absl::Status> met;
  for (const WalkEntry& entry : WalkAll(*files_, top_, Recursive())) {
    met[entry.path] = entry.status;
  }
  EXPECT_TRUE(absl::IsFailedPrecondition(met["a/up"])) << met["a/up"];
  EXPECT_EQ(met.count("a/up/a"), 0);
  EXPECT_TRUE(absl::IsNotFound(met["dangling"]));
}

}  // namespace
}  // namespace fsload
