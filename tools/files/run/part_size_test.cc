#include "tools/files/run/part_size.h"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace fsload {
namespace {

constexpr char kVariable[] = "S3_MULTI_PART_UPLOAD_CHUNK_SIZE";
constexpr int64_t kSmall = 8 << 20;
constexpr int64_t kOwn = 50 << 20;
constexpr int64_t kMax = 10'000 * kSmall;  // bytes in small parts

class PartSizeTest : public ::testing::Test {
 protected:
  PartSizeTest() { unsetenv(kVariable); }
  ~PartSizeTest() override { unsetenv(kVariable); }

  // A sparse local file.
  static std::string FileOf(int64_t bytes) {
    std::string path = testing::TempDir() + "/large";
    std::ofstream(path).close();
    EXPECT_EQ(truncate(path.c_str(), bytes), 0);
    return path;
  }

  static std::string Chosen() {
    const char* const value = getenv(kVariable);
    return value == nullptr ? "unset" : value;
  }
};

TEST_F(PartSizeTest, IsThePluginsOwnForShortFiles) {
  ChoosePartSizes({FileOf(kOwn), "/missing", "s3://b/k"});
  EXPECT_EQ(Chosen(), "unset");
}

TEST_F(PartSizeTest, IsSmallForALongFile) {
  ChoosePartSizes({"/missing", FileOf(kOwn + 1), "s3://b/k"});
  EXPECT_EQ(Chosen(), std::to_string(kSmall));
}

TEST_F(PartSizeTest, IsSmallForALongFileInADirectory) {
  FileOf(kOwn + 1);
  ChoosePartSizes({testing::TempDir(), "s3://b/k"});
  EXPECT_EQ(Chosen(), std::to_string(kSmall));
}

TEST_F(PartSizeTest, IsEnoughForTheLongestFile) {
  ChoosePartSizes({FileOf(kMax + 1), "s3://b/k"});
  EXPECT_EQ(Chosen(), std::to_string(kSmall + (1 << 20)));
}

TEST_F(PartSizeTest, CountsFilesByTheirUris) {
  ChoosePartSizes({"posix://" + FileOf(kOwn + 1), "S3://b/k"});
  EXPECT_EQ(Chosen(), std::to_string(kSmall));
}

TEST_F(PartSizeTest, IsThePluginsOwnForAStream) {
  ChoosePartSizes({"-", "s3://b/k"});
  EXPECT_EQ(Chosen(), "unset");
}

TEST_F(PartSizeTest, IsNotChosenForOtherTargets) {
  ChoosePartSizes({FileOf(kOwn + 1), "gs://b/k"});
  EXPECT_EQ(Chosen(), "unset");
}

TEST_F(PartSizeTest, IsTheUsersWhereTheVariableIsSet) {
  setenv(kVariable, "5242880", 1);
  ChoosePartSizes({FileOf(kOwn + 1), "s3://b/k"});
  EXPECT_EQ(Chosen(), "5242880");
}

}  // namespace
}  // namespace fsload
