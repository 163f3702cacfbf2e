#include "core/threads/task_pool.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <new>
#include <thread>
#include <vector>

#include "core/testing/meeting.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

constexpr std::chrono::microseconds kAtOnce{0};
constexpr std::chrono::hours kNever{1};

TEST(TaskPoolTest, DoesNothingForNothing) { EXPECT_TRUE(TaskPool().Run()); }

TEST(TaskPoolTest, DoesAllTasksAndThoseThatTheyAdd) {
  for (const std::chrono::microseconds start_delay :
       {std::chrono::microseconds(kNever), kAtOnce}) {
    TaskPool pool(start_delay);
    std::atomic<int> done{0};
    std::function<void(int)> split = [&](int depth) {
      ++done;
      for (int i = 0; depth > 0 && i < 2; ++i) {
        pool.Add([&split, depth] { split(depth - 1); });
      }
    };
    pool.Add([&] { split(10); });
    EXPECT_TRUE(pool.Run());
    EXPECT_EQ(done, (1 << 11) - 1);
  }
}

TEST(TaskPoolTest, DoesWhatWasAddedLastFirstAndInTheCallersThread) {
  TaskPool pool(kNever);
  std::vector<int> order;
  const std::thread::id caller = std::this_thread::get_id();
  for (int i = 0; i < 3; ++i) {
    pool.Add([&, i] {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      order.push_back(i);
    });
  }
  EXPECT_TRUE(pool.Run());
  EXPECT_THAT(order, testing::ElementsAre(2, 1, 0));
}

// Two tasks that wait for each other.
TEST(TaskPoolTest, DoesTasksAtOnceThatWait) {
  TaskPool pool(kAtOnce);
  pool.ExpectWaiting();
  Meeting meeting;
  for (int i = 0; i < 2; ++i) {
    pool.Add([&] { EXPECT_TRUE(meeting.Meet()); });
  }
  EXPECT_TRUE(pool.Run());
}

TEST(TaskPoolTest, StopsWhenATaskEndsItsThread) {
  TaskPool pool(kAtOnce);
  pool.ExpectWaiting();
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> ended{false};
  std::function<void()> work = [&] {
    if (std::this_thread::get_id() != caller && !ended.exchange(true)) {
      pthread_exit(nullptr);
    }
    std::this_thread::yield();
    pool.Add(work);
  };
  for (int i = 0; i < 4; ++i) pool.Add(work);
  EXPECT_FALSE(pool.Run());
}

TEST(TaskPoolTest, ThrowsInTheCallersThreadThatAnotherHasNoMemory) {
  TaskPool pool(kAtOnce);
  pool.ExpectWaiting();
  const std::thread::id caller = std::this_thread::get_id();
  for (int i = 0; i < 1000; ++i) {
    pool.Add([&] {
      if (std::this_thread::get_id() != caller) throw std::bad_alloc();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  }
  EXPECT_THROW(pool.Run(), std::bad_alloc);
}

TEST(TaskPoolTest, WaitsForItsThreadsWhenTheCallersEnds) {
  std::atomic<int> under_way{0};
  std::thread caller([&] {
    const std::thread::id self = std::this_thread::get_id();
    TaskPool pool(kAtOnce);
    pool.ExpectWaiting();
    for (int i = 0; i < 1000; ++i) {
      pool.Add([&] {
        ++under_way;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        --under_way;
        if (std::this_thread::get_id() == self) pthread_exit(nullptr);
      });
    }
    pool.Run();
  });
  caller.join();
  EXPECT_EQ(under_way, 0);
}

}  // namespace
}  // namespace fsload
