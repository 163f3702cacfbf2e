#include "tools/files/names/part_count.h"

#include <cstdint>
#include <cstdlib>

#include "absl/status/status.h"
#include "core/paths/scheme_names.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

constexpr char kVariable[] = "S3_MULTI_PART_UPLOAD_CHUNK_SIZE";
constexpr int64_t kMax = int64_t{10'000} * (8 << 20);
constexpr int64_t kMaxOfThePluginsOwn = int64_t{10'000} * (50 << 20);

class PartCountTest : public ::testing::Test {
 protected:
  PartCountTest() { setenv(kVariable, "8388608", 1); }
  ~PartCountTest() override { unsetenv(kVariable); }
};

TEST_F(PartCountTest, AcceptsWhatTheStoreTakes) {
  EXPECT_EQ(CheckPartCount("s3://b/k", kMax), absl::OkStatus());
}

TEST_F(PartCountTest, SaysWhatToSetForMore) {
  EXPECT_EQ(
      CheckPartCount("s3://b/k", kMax + 1),
      absl::FailedPreconditionError(
          "s3://b/k: 83886080001 bytes take more than 10000 parts of 8388608 "
          "bytes, and the store accepts no more; set "
          "S3_MULTI_PART_UPLOAD_CHUNK_SIZE=9437184 and try again"));
}

TEST_F(PartCountTest, IsRightForTheLongestFile) {
  EXPECT_EQ(CheckPartCount("s3://b/k", INT64_MAX).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(PartCountTest, IsRightForTheLongestPart) {
  setenv(kVariable, "9223372036854775807", 1);
  EXPECT_EQ(CheckPartCount("s3://b/k", INT64_MAX), absl::OkStatus());
}

TEST_F(PartCountTest, TakesThePluginsOwnPartsIfNoneAreSet) {
  unsetenv(kVariable);
  EXPECT_EQ(CheckPartCount("s3://b/k", kMaxOfThePluginsOwn), absl::OkStatus());
}

TEST_F(PartCountTest, TakesThePluginsOwnPartsForAVariableThatIsNoNumber) {
  setenv(kVariable, "8M", 1);
  EXPECT_EQ(CheckPartCount("s3://b/k", kMaxOfThePluginsOwn), absl::OkStatus());
}

TEST_F(PartCountTest, LimitsTheStoreUnderAnotherName) {
  ASSERT_TRUE(AddSchemeName("partcount.minio", "s3"));
  EXPECT_EQ(CheckPartCount("partcount.minio://b/k", kMax + 1).code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(PartCountTest, DoesNotLimitOtherFileSystems) {
  for (const char* uri : {"/tmp/large", "gs://b/k"}) {
    EXPECT_EQ(CheckPartCount(uri, INT64_MAX), absl::OkStatus()) << uri;
  }
}

}  // namespace
}  // namespace fsload
