// Wrappers around whole plugins: what they pass on, and whether a subtree can
// be left on a real disk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fsload/faulty.h"
#include "fsload/file_system.h"
#include "fsload/metered.h"
#include "fsload/read_only.h"
#include "fsload/retrying.h"
#include "fsload/scheme_registry.h"
#include "fsload/subtree.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_plugins.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

namespace files = std::filesystem;

// --- All wrappers ---

// retrying over metered over faulty over a subtree of `inner`.
FileSystemPtr Stack(const FileSystemPtr& inner, const std::string& root) {
  FileSystemPtr stack = *Subtree(inner, root, "sub");
  stack = *Faulty(stack, {});
  stack = *Metered(stack, std::make_shared<OpMeter>());
  return *Retrying(stack);
}

TEST(WrappersTest, PassOptionsOn) {
  const FileSystemPtr memory = LoadTestPlugin("memory");
  const FileSystemPtr stack = Stack(memory, "memory:///");
  const auto expected = memory->GetFilesystemConfiguration();
  const auto options = stack->GetFilesystemConfiguration();
  ASSERT_TRUE(options.ok()) << options.status();
  ASSERT_EQ(options->size(), expected->size());
  EXPECT_EQ((*options)[0].values, (*expected)[0].values);
  EXPECT_EQ(*stack->GetFilesystemConfigurationKeys(),
            *memory->GetFilesystemConfigurationKeys());
  ConfigurationOption size = options->front();
  size.values = std::vector<int64_t>{17};
  EXPECT_EQ(stack->SetFilesystemConfigurationOption(size), absl::OkStatus());
  EXPECT_EQ(memory->GetFilesystemConfigurationOption(size.name)->values,
            size.values);
  EXPECT_EQ(stack->SetFilesystemConfiguration(*expected), absl::OkStatus());
  EXPECT_EQ(stack->GetFilesystemConfigurationOption(size.name)->values,
            expected->front().values);
}

TEST(WrappersTest, PassTransactionsOn) {
  const FileSystemPtr memory = LoadTestPlugin("memory");
  ASSERT_EQ(memory->CreateDir("memory:///r"), absl::OkStatus());
  const FileSystemPtr stack = Stack(memory, "memory:///r");
  auto transaction = stack->StartTransaction();
  ASSERT_TRUE(transaction.ok()) << transaction.status();
  const TransactionToken token = transaction->token();
  EXPECT_EQ(stack->AddToTransaction("sub:///a", token), absl::OkStatus());
  EXPECT_EQ(*stack->GetTransactionForPath("sub:///a"), token);
  EXPECT_EQ(*memory->GetTransactionForPath("memory:///r/a"), token);
  EXPECT_EQ(*stack->DecodeTransaction(token),
            *memory->DecodeTransaction(token));
  EXPECT_EQ(transaction->End(), absl::OkStatus());
}

TEST(WrappersTest, HandMemoryOverOnce) {
  const PluginLog log("FSLOAD_TEST_MEMORY_LOG");
  FileSystemPtr memory = LoadTestPlugin("memory_logged");
  ASSERT_EQ(memory->RecursivelyCreateDir("memory:///r/a"), absl::OkStatus());
  FileSystemPtr stack = Stack(std::exchange(memory, nullptr), "memory:///r");
  const size_t before = log.Lines().size();
  EXPECT_THAT(*stack->GetChildren("sub:///"), ElementsAre("a"));
  EXPECT_FALSE(stack->GetChildren("sub:///none").ok());
  EXPECT_EQ(*stack->TranslateName("sub:///a/../b"), "/b");
  EXPECT_EQ(stack->GetFilesystemConfiguration()->size(), 3);
  stack.reset();
  EXPECT_GE(log.Lines().size() - before, 2 * (2 + 1 + 10));
  EXPECT_THAT(Imbalance(log.Lines()), IsEmpty());
}

TEST(WrappersTest, TakeAPluginsPlaceInARegistry) {
  SchemeRegistry registry;
  ASSERT_EQ(registry.Register({LoadTestPlugin("posix")}), absl::OkStatus());
  const FileSystemPtr plugin = *registry.Find("posix");
  ASSERT_EQ(registry.Retire("posix"), absl::OkStatus());
  ASSERT_EQ(registry.Register({*ReadOnly(plugin)}), absl::OkStatus());
  const FileSystemPtr found = *registry.Resolve("posix:///tmp");
  EXPECT_EQ(found->CreateDir("posix:///tmp/new").code(),
            absl::StatusCode::kPermissionDenied);
  EXPECT_TRUE(found->IsDirectory("posix:///tmp").ok());
}

TEST(WrappersTest, RetryASlowPluginFromManyThreads) {
  const std::string root = NewTestDirectory();
  WriteFile(root + "/a", "contents");
  FaultRule rule;
  rule.probability = 0.3;
  RetryOptions options;
  options.max_attempts = 100;
  options.initial_backoff = absl::Microseconds(100);
  const FileSystemPtr slow =
      *Subtree(LoadTestPlugin("slow"), "slow://" + root, "sub");
  const auto tries = std::make_shared<OpMeter>();
  const FileSystemPtr fs =
      *Retrying(*Metered(*Faulty(slow, {{rule}, 17}), tries), options);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&fs] {
      for (int k = 0; k < 5; ++k) {
        char buffer[8];
        const auto file = fs->NewRandomAccessFile("sub:///a");
        ASSERT_TRUE(file.ok()) << file.status();
        EXPECT_EQ(*(*file)->Read(0, 8, buffer), 8);
        EXPECT_EQ(std::string(buffer, 8), "contents");
        EXPECT_THAT(*fs->GetMatchingPaths("sub:///*"), ElementsAre("sub:///a"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const OpTotals reads = tries->Totals(Op::kRandomAccessFile_read);
  EXPECT_EQ(reads.calls - reads.errors, 20);
  EXPECT_GT(reads.errors, 0);
}

// --- A subtree on a disk ---

class SubtreeOnDiskTest : public ::testing::TestWithParam<const char*> {
 protected:
  SubtreeOnDiskTest() {
    WriteFile(disk_ + "/root/a", "inside");
    WriteFile(disk_ + "/root/d/b", "inside");
    WriteFile(disk_ + "/secret", "outside");
    files::create_directory(disk_ + "/other");
    WriteFile(disk_ + "/other/c", "outside");
  }

  std::string Outside() const {
    std::string all = ReadFile(disk_ + "/secret");
    for (const auto& entry : files::directory_iterator(disk_)) {
      all += " " + entry.path().filename().string();
    }
    return all + " " + ReadFile(disk_ + "/other/c");
  }

  const std::string disk_ = NewTestDirectory();
  const FileSystemPtr plugin_ = LoadTestPlugin(GetParam());
  const FileSystemPtr fs_ =
      *Subtree(plugin_, plugin_->scheme() + "://" + disk_ + "/root", "sub");
};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutDefaults, SubtreeOnDiskTest,
                         ::testing::Values("posix", "posix_leaves"));

TEST_P(SubtreeOnDiskTest, IsNotLeftByNames) {
  const std::string before = Outside();
  for (const std::string path :
       {"sub:///../secret", "sub:///d/../../secret", "sub:///d/../../../etc",
        "../secret", "sub:///..", "sub:///../other/c", "sub:////../secret",
        "sub:///./../secret", "sub:///d/./.././../secret"}) {
    EXPECT_FALSE(fs_->NewRandomAccessFile(path).ok()) << path;
    EXPECT_FALSE(fs_->NewWritableFile(path).ok()) << path;
    EXPECT_FALSE(fs_->NewAppendableFile(path).ok()) << path;
    EXPECT_FALSE(fs_->NewReadOnlyMemoryRegionFromFile(path).ok()) << path;
    EXPECT_FALSE(fs_->Stat(path).ok()) << path;
    EXPECT_FALSE(fs_->DeleteFile(path).ok()) << path;
    EXPECT_FALSE(fs_->DeleteRecursively(path).ok()) << path;
    EXPECT_FALSE(fs_->RenameFile(path, "sub:///new").ok()) << path;
    EXPECT_FALSE(fs_->RenameFile("sub:///a", path).ok()) << path;
    EXPECT_FALSE(fs_->CopyFile("sub:///a", path).ok()) << path;
    EXPECT_FALSE(fs_->CopyFile(path, "sub:///new").ok()) << path;
    EXPECT_FALSE(fs_->RecursivelyCreateDir(path + "/x").ok()) << path;
    const auto found = fs_->GetMatchingPaths(path + "*");
    EXPECT_TRUE(!found.ok() || found->empty()) << path;
  }
  EXPECT_EQ(Outside(), before);
}

// What is decoded nowhere is a name like others.
TEST_P(SubtreeOnDiskTest, TakesEncodedDotsForNames) {
  EXPECT_EQ(fs_->RecursivelyCreateDir("sub:///%2e%2e/x"), absl::OkStatus());
  EXPECT_TRUE(files::exists(disk_ + "/root/%2e%2e/x"));
  EXPECT_EQ(fs_->CreateDir("sub:///..."), absl::OkStatus());
  EXPECT_TRUE(files::exists(disk_ + "/root/..."));
}

TEST_P(SubtreeOnDiskTest, ShowsItsOwnPathsInMessages) {
  const absl::Status status = fs_->Stat("sub:///none").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), Not(HasSubstr(disk_)));
  const absl::Status reading = fs_->NewRandomAccessFile("sub:///d").status();
  EXPECT_THAT(std::string(reading.message()), Not(HasSubstr(disk_)));
}

TEST_P(SubtreeOnDiskTest, MapsGlobsBack) {
  EXPECT_THAT(*fs_->GetMatchingPaths("sub:///*"),
              UnorderedElementsAre("sub:///a", "sub:///d"));
  EXPECT_THAT(*fs_->GetMatchingPaths("/d/*"), ElementsAre("/d/b"));
}

TEST_P(SubtreeOnDiskTest, CreatesNothingAboveAMissingRoot) {
  const std::string root = plugin_->scheme() + "://" + disk_ + "/none/such";
  const FileSystemPtr fs = *Subtree(plugin_, root, "sub");
  EXPECT_EQ(fs->RecursivelyCreateDir("sub:///d").code(),
            absl::StatusCode::kNotFound);
  EXPECT_FALSE(files::exists(disk_ + "/none"));
}

// This is the exception that fsload/subtree.h names. If it no longer holds, the
// promise may be made wider.
TEST_P(SubtreeOnDiskTest, FollowsLinksThatOthersMade) {
  ASSERT_EQ(symlink("../other", (disk_ + "/root/link").c_str()), 0);
  EXPECT_THAT(*fs_->GetChildren("sub:///link"), ElementsAre("c"));
}

// There is no operation that makes a link, and ".." behind one is resolved
// before the disk sees it.
TEST_P(SubtreeOnDiskTest, IsNotLeftByDotsBehindALink) {
  ASSERT_EQ(symlink("../other", (disk_ + "/root/link").c_str()), 0);
  EXPECT_FALSE(fs_->Stat("sub:///link/../secret").ok());
  EXPECT_TRUE(fs_->Stat("sub:///link/../a").ok());
}

TEST_P(SubtreeOnDiskTest, DeletesALinkAndNotWhatItPointsTo) {
  ASSERT_EQ(symlink("../other", (disk_ + "/root/d/link").c_str()), 0);
  const std::string before = Outside();
  fs_->DeleteRecursively("sub:///d").IgnoreError();
  EXPECT_EQ(Outside(), before);
}

}  // namespace
}  // namespace fsload
