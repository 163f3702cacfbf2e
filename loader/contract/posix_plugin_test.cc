// What only local file systems have: links, pipes and late dates.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <memory>
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
