#include "core/threads/processors.h"

#include <sched.h>

#include <thread>

#include "core/testing/one_processor.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

TEST(ProcessorsTest, AreThoseThatTheThreadMayRunOn) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  EXPECT_EQ(Processors(), CPU_COUNT(&allowed));
  std::thread([] {
    const OneProcessor one;
    ASSERT_TRUE(one.is_bound());
    EXPECT_EQ(Processors(), 1);
    std::thread([] { EXPECT_EQ(Processors(), 1); }).join();
  }).join();
}

}  // namespace
}  // namespace fsload
