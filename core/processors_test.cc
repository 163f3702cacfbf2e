#include "core/processors.h"

#include <sched.h>

#include <thread>

#include "gtest/gtest.h"

namespace fsload {
namespace {

TEST(ProcessorsTest, AreThoseThatTheThreadMayRunOn) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  EXPECT_EQ(Processors(), CPU_COUNT(&allowed));
  std::thread([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    EXPECT_EQ(Processors(), 1);
    std::thread([] { EXPECT_EQ(Processors(), 1); }).join();
  }).join();
}

}  // namespace
}  // namespace fsload
