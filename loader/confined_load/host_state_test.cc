#include "loader/confined_load/host_state.h"

#include <cstdlib>

#include "gtest/gtest.h"

namespace fsload {
namespace {

TEST(HostStateTest, TellsNamesOfChangedVariablesWithoutValues) {
  setenv("FSLOAD_TEST_KEY", "-----BEGIN\na secret\n-----END", 1);
  HostStateWatch watch;
  unsetenv("FSLOAD_TEST_KEY");
  const auto changes = watch.Changes();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].rule, RuleId::kKeepsEnvironment);
  EXPECT_EQ(changes[0].what, "FSLOAD_TEST_KEY");
}

}  // namespace
}  // namespace fsload
