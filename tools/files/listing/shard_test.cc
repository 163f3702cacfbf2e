#include "tools/files/listing/shard.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;

TEST(ShardTest, TakesEveryNthFile) {
  const Shard shard = *ParseShard("2/3");
  EXPECT_FALSE(shard.Has(0));
  EXPECT_TRUE(shard.Has(1));
  EXPECT_FALSE(shard.Has(2));
  EXPECT_TRUE(shard.Has(4));
}

TEST(ShardTest, TakesAllWhereThereIsOne) {
  for (const size_t number : {0, 1, 2}) EXPECT_TRUE(Shard().Has(number));
}

TEST(ShardTest, RefusesWhatIsNone) {
  for (const char* text :
       {"", "1", "/", "1/", "/2", "0/2", "3/2", "-1/2", "1/2/3", " 1/2", "1/2x",
        "1/0", "1/1000001", "1/99999999999999999999"}) {
    const absl::Status status = ParseShard(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(
        std::string(status.message()),
        HasSubstr("is not a shard; write I/N with I from 1 to N, such as 2/5"));
  }
}

}  // namespace
}  // namespace fsload
