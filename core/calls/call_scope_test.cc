#include "fsload/internal/call_scope.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

#include "fsload/internal/status_provider.h"

namespace fsload {
namespace {

TEST(CallScopeTest, MarksItsThreadAsLongAsItLives) {
  const StatusProvider outer;
  const StatusProvider inner;
  const CallScope::Mark outer_mark(outer);
  {
    const CallScope in_outer(outer_mark);
    EXPECT_FALSE(CallScope::Contains(inner));
    {
      const CallScope::Mark inner_mark(inner);
      const CallScope in_inner(inner_mark);
      EXPECT_TRUE(CallScope::Contains(inner));
      EXPECT_TRUE(CallScope::Contains(outer));
      std::thread([&] { EXPECT_FALSE(CallScope::Contains(inner)); }).join();
    }
    EXPECT_FALSE(CallScope::Contains(inner));
    EXPECT_TRUE(CallScope::Contains(outer));
  }
  EXPECT_FALSE(CallScope::Contains(outer));
}

TEST(CallScopeTest, EndsWithAnException) {
  const StatusProvider provider;
  try {
    const CallScope::Mark mark(provider);
    const CallScope scope(mark);
    throw std::runtime_error("words");
  } catch (const std::runtime_error&) {
    EXPECT_FALSE(CallScope::Contains(provider));
  }
}

}  // namespace
}  // namespace fsload
