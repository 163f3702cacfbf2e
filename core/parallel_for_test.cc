#include "core/parallel_for.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace fsload {
namespace {

constexpr std::chrono::milliseconds kLongCall{2};
constexpr std::chrono::seconds kDeadline{60};

TEST(ParallelForTest, CallsNothingForNothing) {
  EXPECT_EQ(ParallelFor(0, [](size_t) { return absl::UnknownError(""); }),
            absl::OkStatus());
}

TEST(ParallelForTest, CallsEachNumberOnce) {
  std::vector<std::atomic<int>> calls(1000);
  EXPECT_EQ(ParallelFor(calls.size(),
                        [&](size_t i) {
                          if (i == 0) std::this_thread::sleep_for(kLongCall);
                          ++calls[i];
                          return absl::OkStatus();
                        }),
            absl::OkStatus());
  EXPECT_TRUE(std::all_of(calls.begin(), calls.end(),
                          [](const auto& times) { return times == 1; }));
}

TEST(ParallelForTest, CallsInTurnWhatTakesNoTime) {
  const std::thread::id caller = std::this_thread::get_id();
  EXPECT_EQ(ParallelFor(1,
                        [&](size_t) {
                          EXPECT_EQ(std::this_thread::get_id(), caller);
                          return absl::OkStatus();
                        }),
            absl::OkStatus());
}

// Two calls that wait for each other.
TEST(ParallelForTest, MakesLongCallsAtOnce) {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<std::thread::id> threads;
  EXPECT_EQ(ParallelFor(3,
                        [&](size_t i) {
                          if (i == 0) {
                            std::this_thread::sleep_for(kLongCall);
                            return absl::OkStatus();
                          }
                          std::unique_lock<std::mutex> lock(mutex);
                          threads.insert(std::this_thread::get_id());
                          changed.notify_all();
                          return changed.wait_for(
                                     lock, kDeadline,
                                     [&] { return threads.size() == 2; })
                                     ? absl::OkStatus()
                                     : absl::DeadlineExceededError("alone");
                        }),
            absl::OkStatus());
}

TEST(ParallelForTest, AnswersTheErrorOfTheLowestNumber) {
  for (size_t lowest = 0; lowest < 20; ++lowest) {
    const absl::Status status = ParallelFor(1000, [&](size_t i) {
      if (i == 0) std::this_thread::sleep_for(kLongCall);
      return i < lowest ? absl::OkStatus()
                        : absl::AbortedError(std::to_string(i));
    });
    EXPECT_EQ(status, absl::AbortedError(std::to_string(lowest)));
  }
}

TEST(ParallelForTest, BeginsNoCallAfterAFailure) {
  std::atomic<size_t> calls{0};
  const absl::Status status = ParallelFor(1'000'000, [&](size_t i) {
    ++calls;
    return i < 5 ? absl::OkStatus() : absl::AbortedError("");
  });
  EXPECT_TRUE(absl::IsAborted(status));
  EXPECT_LT(calls, 100U);
}

TEST(ParallelForTest, TakesACallThatEndsItsThreadForAFailure) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> ended{false};
  const absl::Status status = ParallelFor(1'000'000, [&](size_t) {
    if (std::this_thread::get_id() == caller) {
      std::this_thread::sleep_for(kLongCall);
    } else if (!ended.exchange(true)) {
      pthread_exit(nullptr);
    }
    return absl::OkStatus();
  });
  EXPECT_EQ(status,
            absl::InternalError("wanted a call to return, it ended its thread; "
                                "nothing is known of what it did"));
}

TEST(ParallelForTest, WaitsForAllCallsWhenTheCallersThreadEnds) {
  std::atomic<int> under_way{0};
  std::thread caller([&] {
    const std::thread::id self = std::this_thread::get_id();
    ParallelFor(1000, [&](size_t i) {
      ++under_way;
      std::this_thread::sleep_for(kLongCall);
      --under_way;
      if (i > 0 && std::this_thread::get_id() == self) pthread_exit(nullptr);
      return absl::OkStatus();
    }).IgnoreError();
  });
  caller.join();
  EXPECT_EQ(under_way, 0);
}

}  // namespace
}  // namespace fsload
