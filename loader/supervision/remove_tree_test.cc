#include "loader/supervision/remove_tree.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "loader/testing/test_files.h"

namespace fsload {
namespace {

bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::string NewFolder(const char* name) {
  const std::string path = NewPath(name);
  WriteFile(path + "/a/file", "");
  return path;
}

// Whether `code` succeeded in a process that is subject to file modes, unlike
// root with all its capabilities.
template <typename Code>
bool HoldsUnprivileged(const Code& code) {
  const pid_t child = fork();
  if (child == 0) {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const __user_cap_data_struct none[2] = {};
    if (syscall(SYS_capset, &header, none) != 0) _exit(2);
    _exit(code() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(RemoveTreeTest, RemovesFilesAndFolders) {
  const std::string folder = NewFolder("plain");
  EXPECT_TRUE(RemoveTree(folder));
  EXPECT_FALSE(Exists(folder));
}

TEST(RemoveTreeTest, RemovesWhatItsOwnerMayNotListOrChange) {
  const std::string folder = NewFolder("closed");
  EXPECT_TRUE(HoldsUnprivileged([&] {
    for (const mode_t mode : {0300, 0500, 0000, 0100}) {
      const std::string below = folder + "/" + std::to_string(mode);
      WriteFile(below + "/inner/file", "");
      if (chmod((below + "/inner").c_str(), mode) != 0) return false;
      if (chmod(below.c_str(), mode) != 0) return false;
    }
    return chmod(folder.c_str(), 0300) == 0 && RemoveTree(folder);
  }));
  EXPECT_FALSE(Exists(folder));
}

TEST(RemoveTreeTest, RemovesDeepTreesWithFewDescriptors) {
  const std::string folder = NewFolder("deep");
  int here = open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  constexpr int kDepth = 5000;
  for (int i = 0; i < kDepth; ++i) {
    ASSERT_EQ(mkdirat(here, "a longer name than one letter", 0700), 0);
    const int below = openat(here, "a longer name than one letter", O_RDONLY);
    close(here);
    here = below;
  }
  close(here);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit few = {16, 16};
    setrlimit(RLIMIT_NOFILE, &few);
    _exit(RemoveTree(folder) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(Exists(folder));
}

TEST(RemoveTreeTest, GoesThroughNoLinks) {
  const std::string folder = NewFolder("links");
  const std::string other = NewFolder("other");
  ASSERT_EQ(symlink(other.c_str(), (folder + "/link").c_str()), 0);
  EXPECT_TRUE(RemoveTree(folder));
  EXPECT_TRUE(Exists(other + "/a/file"));
  const std::string link = NewPath("link itself");
  ASSERT_EQ(symlink(other.c_str(), link.c_str()), 0);
  EXPECT_FALSE(RemoveTree(link));
  EXPECT_TRUE(Exists(other + "/a/file"));
}

}  // namespace
}  // namespace fsload
