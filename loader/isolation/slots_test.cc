#include "loader/isolation/slots.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/threads/processors.h"

namespace fsload {
namespace {

// Both sides must try again at the same calls, whatever they waited for before.
TEST(SpinnerTest, TriesAgainAtTheFirstCallsOfEach256) {
  if (Processors() < 2) GTEST_SKIP() << "one processor";
  Spinner spinner;
  int asked = 0;
  const auto never = [&asked] {
    ++asked;
    return false;
  };
  const auto spins = [&](uint64_t number) {
    asked = 0;
    EXPECT_FALSE(spinner.Spin(number, never));
    return asked > 1;
  };
  for (uint64_t number = 9; number < 13; ++number) EXPECT_TRUE(spins(number));
  EXPECT_FALSE(spins(13));
  EXPECT_TRUE(spins(256));
  EXPECT_FALSE(spins(257));  // once in vain is enough
  EXPECT_TRUE(spinner.Spin(512, [] { return true; }));
  EXPECT_TRUE(spins(600));
}

}  // namespace
}  // namespace fsload
