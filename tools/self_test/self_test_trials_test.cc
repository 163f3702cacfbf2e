#include "tools/self_test/self_test_trials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "fsload/rules.h"
#include "tools/self_test/bundled_fixtures.h"

namespace fsload {
namespace {

using testing::UnorderedElementsAreArray;

std::string NewPath() {
  static int count = 0;
  return testing::TempDir() + "/trial" + std::to_string(++count);
}

absl::Status TryBundled(const Trial& trial) {
  return Try(trial, BundledFixtures().value(), NewPath());
}

TEST(SelfTestTrials, HaveEachRuleInOneOfTheTwoTables) {
  std::vector<std::string> rules;
  for (const Rule& rule : AllRules()) rules.push_back(Name(rule.id));
  std::vector<std::string> found;
  for (const Trial& trial : AllTrials()) {
    if (found.empty() || found.back() != Name(trial.rule)) {
      found.push_back(Name(trial.rule));
    }
  }
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  for (const Untried& untried : AllUntried()) {
    found.push_back(Name(untried.rule));
  }
  EXPECT_THAT(found, UnorderedElementsAreArray(rules));
}

TEST(SelfTestTrials, PassWhereTheirRuleAloneFires) {
  EXPECT_EQ(TryBundled({RuleId::kAbi, "broken_wrong_abi.so"}),
            absl::OkStatus());
}

TEST(SelfTestTrials, FailWhereAnotherRuleFires) {
  EXPECT_EQ(TryBundled({RuleId::kApi, "broken_wrong_abi.so"}),
            absl::InternalError("only FSP116 should fire, but FSP115 did; this "
                                "fsload's verdicts cannot be trusted"));
}

TEST(SelfTestTrials, FailWhereNoRuleFires) {
  EXPECT_EQ(TryBundled({RuleId::kApi, "broken_shared_tables.so"}),
            absl::InternalError("only FSP116 should fire, but none did; this "
                                "fsload's verdicts cannot be trusted"));
}

TEST(SelfTestTrials, FailWithoutTheirFixture) {
  EXPECT_EQ(TryBundled({RuleId::kApi, "no_such.so"}),
            absl::InternalError("its broken plugin is missing from this "
                                "executable; the rule was not tried"));
}

TEST(SelfTestTrials, FailWhereNothingCanBeWritten) {
  EXPECT_EQ(
      Try({RuleId::kAbi, "broken_wrong_abi.so"}, BundledFixtures().value(),
          "/no/such/folder/a"),
      absl::InternalError("cannot create '/no/such/folder/a': mkdir: No such "
                          "file or directory; the rule was not tried"));
}

// Every bundled fixture that breaks a rule is also tried.
TEST(SelfTestTrials, LeaveNoFixtureOut) {
  std::vector<std::string> tried = {
      // Valid, and therefore break nothing.
      "broken_prints.so", "broken_shared_tables.so",
      "broken_size_without_table.so",
      // Used in trials made of several files.
      "libfsload_test_versions_none.so", "libfsload_test_versions_old.so",
      "newer_neighbour.so"};
  for (const Trial& trial : AllTrials()) {
    if (trial.make == nullptr) tried.emplace_back(trial.fixture);
  }
  const auto fixtures = BundledFixtures();
  ASSERT_EQ(fixtures.status(), absl::OkStatus());
  std::vector<std::string> bundled;
  for (const auto& [name, contents] : *fixtures) {
    bundled.push_back(name);
  }
  EXPECT_THAT(tried, UnorderedElementsAreArray(bundled));
}

}  // namespace
}  // namespace fsload
