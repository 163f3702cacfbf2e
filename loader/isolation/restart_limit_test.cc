#include "loader/isolation/restart_limit.h"

#include <gtest/gtest.h>

#include <optional>

#include "absl/time/time.h"

namespace fsload {
namespace {

const absl::Time kStart = absl::FromUnixSeconds(1'000'000);

TEST(RestartLimit, WaitsLongerBeforeEachRestart) {
  RestartLimit limit(8);
  const int pauses[] = {0, 5, 10, 20, 40, 80, 100, 100};
  for (const int each : pauses) {
    EXPECT_EQ(limit.Count(kStart), absl::Milliseconds(each));
  }
  EXPECT_EQ(limit.Count(kStart), std::nullopt);
  EXPECT_EQ(limit.count(), 8u);
}

// A program that calls all the time gets a process again.
TEST(RestartLimit, DoesNotCountWhatItRefuses) {
  RestartLimit limit(2);
  for (int second = 0; second < 600; ++second) {
    const bool allowed =
        limit.Count(kStart + absl::Seconds(second)).has_value();
    EXPECT_EQ(allowed, second % 61 < 2) << second;
    EXPECT_LE(limit.count(), 2u);
  }
}

TEST(RestartLimit, AllowsNoneWhereItIsZeroOrLess) {
  EXPECT_EQ(RestartLimit(0).Count(kStart), std::nullopt);
  EXPECT_EQ(RestartLimit(-1).Count(kStart), std::nullopt);
}

}  // namespace
}  // namespace fsload
