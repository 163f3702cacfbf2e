#include "tools/files/locations/local_tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;

class LocalTreeTest : public ::testing::Test {
 protected:
  LocalTreeTest() {
    folder_ = ::testing::TempDir() + "/tree-XXXXXX";
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
    for (const char* name : {"/in", "/in/d", "/out"}) {
      EXPECT_EQ(mkdir((folder_ + name).c_str(), 0755), 0);
    }
    std::ofstream(folder_ + "/in/d/file") << "contents";
    std::ofstream(folder_ + "/out/kept") << "kept";
    EXPECT_EQ(symlink("../out", (folder_ + "/in/link").c_str()), 0);
  }
  ~LocalTreeTest() override {
    EXPECT_EQ(std::system(("rm -rf " + folder_).c_str()), 0);
  }

  std::shared_ptr<const LocalTree> Open(Links links) const {
    int error = 0;
    return LocalTree::Open(folder_ + "/in", links, error);
  }

  // The names in a directory, in the order in which they are visited; "error"
  // if it cannot be listed.
  static std::vector<std::string> NamesIn(const LocalTree& tree,
                                          const std::string& path) {
    std::vector<std::string> names;
    const int error = tree.List(path, [&](const LocalChild& child) {
      names.emplace_back(child.name);
      return true;
    });
    if (error != 0) names = {"error"};
    return names;
  }

  std::string folder_;
};

TEST_F(LocalTreeTest, LeadsThroughNoLink) {
  const auto tree = Open(Links::kRefused);
  EXPECT_EQ(tree->DeleteFile("link/kept"), ELOOP);
  EXPECT_NE(tree->DeleteDirectory("link"), 0);
  struct stat info;
  EXPECT_EQ(tree->Describe("link", info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  EXPECT_THAT(NamesIn(*tree, "link"), ElementsAre("error"));
  EXPECT_EQ(tree->DeleteFile("link"), 0);
  EXPECT_EQ(access((folder_ + "/out/kept").c_str(), F_OK), 0);
}

TEST_F(LocalTreeTest, FollowsLinksWhereItIsTo) {
  EXPECT_THAT(NamesIn(*Open(Links::kFollowed), "link"), ElementsAre("kept"));
}

TEST_F(LocalTreeTest, StaysInItsDirectoryWhereverThatGoes) {
  const auto tree = Open(Links::kRefused);
  ASSERT_EQ(rename((folder_ + "/in").c_str(), (folder_ + "/moved").c_str()), 0);
  ASSERT_EQ(symlink("out", (folder_ + "/in").c_str()), 0);
  EXPECT_EQ(tree->DeleteFile("kept"), ENOENT);
  EXPECT_EQ(tree->DeleteFile("d/file"), 0);
}

TEST_F(LocalTreeTest, GoesDeeperThanThePathsOfTheKernel) {
  const auto tree = Open(Links::kRefused);
  std::string path = "d";
  int error = 0;
  for (int i = 0; i < 3000; ++i) {
    const Descriptor folder = tree->OpenDirectory(path, O_PATH, error);
    ASSERT_EQ(error, 0);
    ASSERT_EQ(mkdirat(folder.get(), "dd", 0755), 0);
    path += "/dd";
  }
  struct stat info;
  EXPECT_EQ(tree->Describe(path, info), 0);
  while (path != "d") {
    ASSERT_EQ(tree->DeleteDirectory(path), 0);
    path.resize(path.size() - 3);
  }
}

TEST_F(LocalTreeTest, ListsNamesByTheirBytes) {
  for (const char* name : {"/in/b", "/in/B", "/in/\xff"}) {
    std::ofstream(folder_ + name) << "1";
  }
  EXPECT_THAT(NamesIn(*Open(Links::kRefused), ""),
              ElementsAre("\xff", "link", "d", "b", "B"));
}

TEST_F(LocalTreeTest, StopsListingWhereItsVisitorStops) {
  std::vector<std::string> names;
  EXPECT_EQ(Open(Links::kRefused)
                ->List("",
                       [&](const LocalChild& child) {
                         names.emplace_back(child.name);
                         return false;
                       }),
            0);
  EXPECT_THAT(names, ElementsAre("link"));
}

}  // namespace
}  // namespace fsload
