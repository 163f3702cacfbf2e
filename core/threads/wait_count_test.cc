#include "core/threads/wait_count.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace fsload {
namespace {

TEST(WaitCountTest, CountsWaitingButNotComputing) {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const WaitCount waits;
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start <
           std::chrono::milliseconds(5)) {
    }
    EXPECT_EQ(waits.Get(), 0);
    for (int i = 0; i < 3; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_GE(waits.Get(), 3);
  }).join();
}

}  // namespace
}  // namespace fsload
