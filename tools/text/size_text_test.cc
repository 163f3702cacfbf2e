#include "tools/text/size_text.h"

#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace fsload {
namespace {

TEST(SizeTextTest, ReadsNumbersWithTheirUnits) {
  const std::pair<const char*, uint64_t> kCases[] = {
      {"0", 0},
      {"4096", 4096},
      {"1K", 1024},
      {"3MiB", 3 << 20},
      {"2KB", 2000},
      {"1GB", 1'000'000'000},
      {"7E", uint64_t{7} << 60},
      {"8E", kMaxBytes},
      {"9223372036854775808", kMaxBytes},
  };
  for (const auto& [text, bytes] : kCases) {
    const absl::StatusOr<uint64_t> size = ParseSize(text);
    ASSERT_TRUE(size.ok()) << text;
    EXPECT_EQ(*size, bytes) << text;
  }
}

TEST(SizeTextTest, RefusesWhatIsNoSize) {
  for (const std::string text :
       {"", "K", "-1", "+1", " 1", "1 ", "1k", "1Kb", "1KiBs", "1.5K", "0x10",
        "9223372036854775809", "9E", "99999999999999999999", "1Z"}) {
    const absl::Status status = ParseSize(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_EQ(status.message(),
              "'" + text +
                  "' is not a number from 0 to 2^63; write it like 4096, 16K, "
                  "16KiB or 16KB (K, M, G, T, P, E)");
  }
}

TEST(SizeTextTest, ShowsSizesRoundedUp) {
  const std::pair<uint64_t, const char*> kCases[] = {
      {0, "0"},
      {1023, "1023"},
      {1024, "1.0K"},
      {1025, "1.1K"},
      {9 * 1024, "9.0K"},
      {10 * 1024 - 1, "10K"},
      {10 * 1024 + 1, "11K"},
      {1024 * 1024 - 1, "1.0M"},
      {300 << 20, "300M"},
      {kMaxBytes, "8.0E"},
  };
  for (const auto& [bytes, text] : kCases) EXPECT_EQ(HumanSize(bytes), text);
}

}  // namespace
}  // namespace fsload
