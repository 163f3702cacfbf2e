#include "tools/files/locations/local_parents.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

class LocalParentsTest : public ::testing::Test {
 protected:
  LocalParentsTest() {
    std::string folder = ::testing::TempDir() + "/parents-XXXXXX";
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    char real[4096];
    EXPECT_NE(realpath(folder.c_str(), real), nullptr);
    folder_ = real;
    EXPECT_EQ(mkdir((folder_ + "/r").c_str(), 0755), 0);
    EXPECT_EQ(mkdir((folder_ + "/r/cur").c_str(), 0755), 0);
    EXPECT_EQ(symlink("r/cur", (folder_ + "/l").c_str()), 0);
  }
  ~LocalParentsTest() override {
    EXPECT_EQ(std::system(("rm -rf " + folder_).c_str()), 0);
  }

  std::string folder_;
};

TEST_F(LocalParentsTest, AreThoseOfWhatALinkLeadsTo) {
  EXPECT_EQ(WithoutParents(folder_ + "/l/../old"), folder_ + "/r/old");
  EXPECT_EQ(WithoutParents(folder_ + "/l/../../l/../a/"), folder_ + "/r/a/");
  EXPECT_EQ(WithoutParents(folder_ + "/l/.."), folder_ + "/r/.");
  EXPECT_EQ(WithoutParents("posix://localhost" + folder_ + "/l/../old"),
            "posix://localhost" + folder_ + "/r/old");
}

TEST_F(LocalParentsTest, StayWhereTheTextSaysTheSame) {
  for (const std::string& uri :
       {std::string("../a"), std::string(".."), folder_ + "/r/../a",
        folder_ + "/l/a", folder_ + "/missing/../a", std::string("s3://b/a"),
        folder_ + "/..."}) {
    EXPECT_EQ(WithoutParents(uri), uri);
  }
}

TEST_F(LocalParentsTest, OfNothingAreMissing) {
  EXPECT_EQ(CheckParents(folder_ + "/missing/../a").code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(CheckParents(folder_ + "/l/../a"), absl::OkStatus());
  EXPECT_EQ(CheckParents("s3://b/missing/../a"), absl::OkStatus());
}

}  // namespace
}  // namespace fsload
