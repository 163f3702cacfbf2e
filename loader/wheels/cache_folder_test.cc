#include "loader/wheels/cache_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_wheels.h"

namespace fsload {
namespace {

using testing::HasSubstr;

mode_t ModeOf(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

TEST(CacheFolderTest, IsMadeForItsUserAlone) {
  const TestCache cache;
  const auto folder = CacheFolder("things");
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_EQ(*folder, cache.path() + "/fsload/things");
  EXPECT_EQ(ModeOf(*folder), 0700);
  EXPECT_EQ(ModeOf(cache.path() + "/fsload"), 0700);
}

TEST(CacheFolderTest, IsBelowFoldersThatAreMadeForItsUserAlone) {
  const std::string above = NewPath("above");
  setenv("XDG_CACHE_HOME", (above + "/caches/").c_str(), 1);
  const mode_t mask = umask(0);
  const auto folder = CacheFolder("things");
  umask(mask);
  unsetenv("XDG_CACHE_HOME");
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_EQ(ModeOf(above), 0700);
  EXPECT_EQ(ModeOf(above + "/caches"), 0700);
}

TEST(CacheFolderTest, IsTheSameTheSecondTime) {
  const TestCache cache;
  const auto folder = CacheFolder("things");
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_EQ(*folder, *CacheFolder("things"));
}

TEST(CacheFolderTest, IsBelowTheHomeWhereNoAbsolutePathIsGivenForIt) {
  const std::string home = NewPath("home");
  setenv("HOME", home.c_str(), 1);
  setenv("XDG_CACHE_HOME", "relative", 1);
  const auto folder = CacheFolder("things");
  unsetenv("XDG_CACHE_HOME");
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_EQ(*folder, home + "/.cache/fsload/things");
}

TEST(CacheFolderTest, SaysWhichVariablesAreMissing) {
  unsetenv("HOME");
  unsetenv("XDG_CACHE_HOME");
  const auto folder = CacheFolder("things");
  EXPECT_EQ(folder.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(folder.status().message(),
            "neither XDG_CACHE_HOME nor HOME names a directory for the cache; "
            "nothing can be unpacked");
}

TEST(CacheFolderTest, RefusesAFolderThatEverybodyMayWriteTo) {
  const TestCache cache;
  ASSERT_TRUE(CacheFolder("things").ok());
  const std::string own = cache.path() + "/fsload";
  ASSERT_EQ(chmod(own.c_str(), 0777), 0);
  const auto folder = CacheFolder("things");
  EXPECT_EQ(folder.status().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(folder.status().message(),
            own +
                ": users other than its owner may change it (mode 0777), so "
                "they could have put code into the cache: "
                "chmod go-w");
}

TEST(CacheFolderTest, RefusesAFolderThatAGroupMayWriteTo) {
  const TestCache cache;
  ASSERT_TRUE(CacheFolder("things").ok());
  ASSERT_EQ(chmod((cache.path() + "/fsload/things").c_str(), 0770), 0);
  EXPECT_EQ(CacheFolder("things").status().code(),
            absl::StatusCode::kPermissionDenied);
}

TEST(CacheFolderTest, RefusesAFolderThatEverybodyMayReplace) {
  const TestCache cache;
  ASSERT_TRUE(CacheFolder("things").ok());
  ASSERT_EQ(chmod(cache.path().c_str(), 0777), 0);
  EXPECT_EQ(CacheFolder("things").status().code(),
            absl::StatusCode::kPermissionDenied);
  ASSERT_EQ(chmod(cache.path().c_str(), 01777), 0);  // only owners can replace
  EXPECT_TRUE(CacheFolder("things").ok());
}

TEST(CacheFolderTest, RefusesAFileInItsPlace) {
  const TestCache cache;
  WriteFile(cache.path() + "/fsload", "");
  EXPECT_THAT(std::string(CacheFolder("things").status().message()),
              HasSubstr("; set XDG_CACHE_HOME to a writable directory"));
}

TEST(ReplaceFileTest, PutsAFileInThePlaceOfAnother) {
  const std::string folder = NewPath("folder");
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/file";
  WriteFile(path, "before");
  ASSERT_TRUE(ReplaceFile(path, "after").ok());
  EXPECT_EQ(ReadFile(path), "after");
  EXPECT_EQ(ModeOf(path), 0600);
}

TEST(ReplaceFileTest, LeavesNothingWhenItFails) {
  const std::string folder = NewPath("folder");
  std::filesystem::create_directories(folder + "/taken/by");
  EXPECT_FALSE(ReplaceFile(folder + "/taken", "text").ok());
  const auto entries = std::filesystem::directory_iterator(folder);
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

}  // namespace
}  // namespace fsload
