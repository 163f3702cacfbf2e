// What only local file systems have: links, pipes and late dates.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "absl/status/status.h"
#include "fsload/file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "loader/testing/test_plugins.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;

class LocalPluginTest : public ::testing::TestWithParam<const char*> {
 protected:
  const std::string folder_ = NewTestDirectory();
  const FileSystemPtr files_ = LoadTestPlugin(GetParam());
};

// Tests the plugin's own operation, or fsload's.
TEST_P(LocalPluginTest, DeletesALinkToADirectoryAndNotWhatItLeadsTo) {
  std::filesystem::create_directories(folder_ + "/there/kept");
  std::filesystem::create_symlink("there", folder_ + "/link");
  Undeleted undeleted = {7, 7};
  EXPECT_EQ(files_->DeleteRecursively(folder_ + "/link", &undeleted),
            absl::OkStatus());
  EXPECT_EQ(undeleted.files, 0);
  EXPECT_EQ(undeleted.directories, 0);
  EXPECT_FALSE(std::filesystem::is_symlink(folder_ + "/link"));
  EXPECT_TRUE(std::filesystem::is_directory(folder_ + "/there/kept"));
}

INSTANTIATE_TEST_SUITE_P(Plugins, LocalPluginTest,
                         ::testing::Values("posix", "minimal", "c_minimal"),
                         [](const auto& test) {
                           return std::string(test.param);
                         });

class PosixPluginTest : public ::testing::Test {
 protected:
  const std::string folder_ = NewTestDirectory();
  const FileSystemPtr files_ = LoadTestPlugin("posix");
};

TEST_F(PosixPluginTest, RefusesAPipeInsteadOfWaitingForItsWriter) {
  ASSERT_EQ(mkfifo((folder_ + "/pipe").c_str(), 0600), 0);
  const absl::Status status =
      files_->NewRandomAccessFile(folder_ + "/pipe").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("a pipe or a terminal cannot be read at an offset"));
}

TEST_F(PosixPluginTest, WaitsForNoPipe) {
  const std::string pipe = folder_ + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(files_->NewReadOnlyMemoryRegionFromFile(pipe).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(files_->NewWritableFile(pipe).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(files_->NewAppendableFile(pipe).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

// By its own operations, and by fsload's copy, which renames onto the target.
TEST_F(PosixPluginTest, ReplacesOnlyFiles) {
  const std::string pipe = folder_ + "/pipe";
  const std::string file = folder_ + "/file";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::ofstream(file) << "text";
  EXPECT_TRUE(absl::IsPermissionDenied(files_->CopyFile(file, pipe)));
  EXPECT_TRUE(absl::IsPermissionDenied(files_->RenameFile(file, pipe)));
  EXPECT_FALSE(files_->CopyFileAs(file, *files_, pipe).ok());
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_TRUE(
      absl::IsPermissionDenied(files_->CopyFile("/dev/zero", folder_ + "/x")));
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/x"));
  std::filesystem::create_symlink("nowhere", folder_ + "/link");
  EXPECT_TRUE(absl::IsNotFound(files_->CopyFile(file, folder_ + "/link")));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ + "/link"));
}

TEST_F(PosixPluginTest, CopiesWithTheModeThatTheTargetHasOrMayHave) {
  const std::string file = folder_ + "/file";
  const std::string copy = folder_ + "/copy";
  std::ofstream(file) << "text";
  ASSERT_EQ(chmod(file.c_str(), 0666), 0);
  const auto mode = [](const std::string& path) {
    struct stat found = {};
    EXPECT_EQ(stat(path.c_str(), &found), 0);
    return found.st_mode & 07777;
  };
  const mode_t before = umask(027);
  EXPECT_EQ(files_->CopyFile(file, copy), absl::OkStatus());
  umask(before);
  EXPECT_EQ(mode(copy), 0640);
  ASSERT_EQ(chmod(copy.c_str(), 0600), 0);
  EXPECT_EQ(files_->CopyFile(file, copy), absl::OkStatus());
  EXPECT_EQ(mode(copy), 0600);
}

TEST_F(PosixPluginTest, KnowsWhereAnAppendEndsThatFollowsAnother) {
  const std::string file = folder_ + "/file";
  const auto first = files_->NewAppendableFile(file);
  const auto second = files_->NewAppendableFile(file);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ((*first)->Append("12345"), absl::OkStatus());
  EXPECT_EQ((*second)->Append("678"), absl::OkStatus());
  EXPECT_EQ((*second)->Tell().value_or(-1), 8);
  EXPECT_EQ((*first)->Append("9"), absl::OkStatus());
  EXPECT_EQ((*first)->Tell().value_or(-1), 9);
}

TEST_F(PosixPluginTest, HasNothingToWaitForOnADevice) {
  const auto null = files_->NewWritableFile("/dev/null");
  ASSERT_TRUE(null.ok()) << null.status();
  EXPECT_EQ((*null)->Append("text"), absl::OkStatus());
  EXPECT_EQ((*null)->Tell().value_or(-1), 4);
  EXPECT_EQ((*null)->Sync(), absl::OkStatus());
  EXPECT_EQ((*null)->Close(), absl::OkStatus());
}

TEST_F(PosixPluginTest, GivesDatesThatHaveNoNumberTheNearest) {
  const std::string path = folder_ + "/late";
  const timespec late[2] = {{20'000'000'000, 0}, {20'000'000'000, 0}};
  ASSERT_EQ(close(open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600)), 0);
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), late, 0), 0);
  struct stat found;
  ASSERT_EQ(stat(path.c_str(), &found), 0);
  if (found.st_mtim.tv_sec < 10'000'000'000) {
    GTEST_SKIP() << "the file system has no such dates";
  }
  EXPECT_EQ(files_->Stat(path)->mtime_nsec, INT64_MAX);
}

}  // namespace
}  // namespace fsload
