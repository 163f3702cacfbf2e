#include "loader/conformance/cases/process_state.h"

#include <cstdlib>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload::conformance {
namespace {

using ::testing::ElementsAre;

TEST(ProcessStateTest, TellsNamesOfChangedVariablesWithoutValues) {
  setenv("FSLOAD_TEST_A", "a value", 1);
  setenv("FSLOAD_TEST_B", "a secret", 1);
  const ProcessState before = ReadProcessState();
  unsetenv("FSLOAD_TEST_A");
  EXPECT_THAT(Differences(before, ReadProcessState()),
              ElementsAre("the environment differs in FSLOAD_TEST_A"));
  unsetenv("FSLOAD_TEST_B");
}

}  // namespace
}  // namespace fsload::conformance
