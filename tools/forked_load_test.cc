#include "tools/forked_load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "loader/rules.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr absl::Duration kLong = absl::Seconds(60);

TEST(ForkedLoad, YieldsTheRulesThatAreBroken) {
  EXPECT_THAT(RulesBrokenBy("testdata/minimal.so", kLong).value(), IsEmpty());
  EXPECT_THAT(RulesBrokenBy("testdata/broken_wrong_abi.so", kLong).value(),
              ElementsAre(RuleId::kAbi));
  EXPECT_THAT(
      RulesBrokenBy("testdata/broken_missing_writable_table.so", kLong).value(),
      ElementsAre(RuleId::kConditionalTable));
}

TEST(ForkedLoad, FindsTheSchemesOfTheBundledPluginTaken) {
  EXPECT_THAT(RulesBrokenBy("testdata/broken_taken.so", kLong).value(),
              ElementsAre(RuleId::kSchemeFree));
}

TEST(ForkedLoad, OutlivesAPluginThatEndsItsProcess) {
  EXPECT_EQ(RulesBrokenBy("testdata/exits.so", kLong).status(),
            absl::AbortedError("wanted the load to end, found that its process "
                               "ended before, with exit code 0"));
}

TEST(ForkedLoad, EndsAtItsDeadline) {
  EXPECT_EQ(
      RulesBrokenBy("testdata/minimal.so", absl::ZeroDuration()).status(),
      absl::DeadlineExceededError("wanted the load to end within 0, found that "
                                  "it did not; it was killed"));
}

}  // namespace
}  // namespace fsload
