#include "core/threads/parallel_for.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/testing/meeting.h"
#include "core/testing/one_processor.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

constexpr std::chrono::microseconds kNoDelay{0};

TEST(ParallelForTest, CallsNothingForNothing) {
  EXPECT_EQ(ParallelFor(0, [](size_t) { return absl::UnknownError(""); }),
            absl::OkStatus());
}

TEST(ParallelForTest, CallsEachNumberOnce) {
  std::vector<std::atomic<int>> calls(1000);
  EXPECT_EQ(ParallelFor(
                calls.size(),
                [&](size_t i) {
                  ++calls[i];
                  return absl::OkStatus();
                },
                kNoDelay),
            absl::OkStatus());
  EXPECT_TRUE(std::all_of(calls.begin(), calls.end(),
                          [](const auto& times) { return times == 1; }));
}

TEST(ParallelForTest, CallsInTurnWhileItsPatienceLasts) {
  const std::thread::id caller = std::this_thread::get_id();
  size_t next = 0;
  EXPECT_EQ(ParallelFor(
                1000,
                [&](size_t i) {
                  EXPECT_EQ(std::this_thread::get_id(), caller);
                  EXPECT_EQ(i, next++);
                  return absl::OkStatus();
                },
                std::chrono::hours(1)),
            absl::OkStatus());
}

// The status of a call that waits for another one.
absl::Status StatusOf(Meeting& meeting) {
  return meeting.Meet() ? absl::OkStatus()
                        : absl::DeadlineExceededError("alone");
}

TEST(ParallelForTest, MakesLongCallsAtOnce) {
  Meeting meeting;
  EXPECT_EQ(ParallelFor(
                2, [&](size_t) { return StatusOf(meeting); }, kNoDelay),
            absl::OkStatus());
}

TEST(ParallelForTest, AnswersTheErrorOfTheLowestNumber) {
  for (size_t lowest = 0; lowest < 20; ++lowest) {
    const absl::Status status = ParallelFor(
        1000,
        [&](size_t i) {
          return i < lowest ? absl::OkStatus()
                            : absl::AbortedError(std::to_string(i));
        },
        kNoDelay);
    EXPECT_EQ(status, absl::AbortedError(std::to_string(lowest)));
  }
}

// Each thread may have taken one more number.
TEST(ParallelForTest, BeginsNoCallAfterAFailure) {
  std::atomic<size_t> calls{0};
  const absl::Status status = ParallelFor(
      1'000'000,
      [&](size_t i) {
        ++calls;
        return i < 5 ? absl::OkStatus() : absl::AbortedError("");
      },
      kNoDelay);
  EXPECT_TRUE(absl::IsAborted(status));
  EXPECT_LE(calls, 13U);
}

TEST(ParallelForTest, TakesACallThatEndsItsThreadForAFailure) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> ended{false};
  const absl::Status status = ParallelFor(
      1'000'000,
      [&](size_t) {
        if (std::this_thread::get_id() == caller) {
          std::this_thread::yield();
        } else if (!ended.exchange(true)) {
          pthread_exit(nullptr);
        }
        return absl::OkStatus();
      },
      kNoDelay);
  EXPECT_EQ(
      status,
      absl::InternalError(
          "the plugin ended the thread of a call; what it did is unknown"));
}

TEST(ParallelForTest, ThrowsInTheCallersThreadThatAnotherHasNoMemory) {
  const std::thread::id caller = std::this_thread::get_id();
  const auto work = [&](size_t) {
    if (std::this_thread::get_id() != caller) throw std::bad_alloc();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return absl::OkStatus();
  };
  EXPECT_THROW(static_cast<void>(ParallelFor(1000, work, kNoDelay)),
               std::bad_alloc);
}

TEST(ParallelForTest, UsesNoMoreThreadsThanItMay) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  EXPECT_EQ(ParallelFor(
                100,
                [&](size_t) {
                  const std::lock_guard<std::mutex> lock(mutex);
                  threads.insert(std::this_thread::get_id());
                  return absl::OkStatus();
                },
                kNoDelay, 1),
            absl::OkStatus());
  EXPECT_EQ(threads, std::set<std::thread::id>{std::this_thread::get_id()});
}

constexpr std::chrono::milliseconds kPause{5};

// Uses a processor for a millisecond without waiting.
void Calculate() {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start <
         std::chrono::milliseconds(1)) {
  }
}

// Runs `function` in a thread that has waited before and may run on only one
// processor.
void OnOneProcessor(const std::function<void()>& function) {
  std::thread([&] {
    const OneProcessor one;
    ASSERT_TRUE(one.is_bound());
    std::this_thread::sleep_for(kPause);
    function();
  }).join();
}

TEST(ParallelForTest, CalculatesInNoMoreThreadsThanProcessors) {
  OnOneProcessor([&] {
    std::atomic<int> by_caller{0};
    const std::thread::id caller = std::this_thread::get_id();
    const auto calculate = [&] {
      return ParallelFor(
          100,
          [&](size_t) {
            Calculate();
            by_caller += std::this_thread::get_id() == caller ? 1 : 0;
            return absl::OkStatus();
          },
          kPause);
    };
    // Code that is still read from the disk, or an emulated processor that does
    // something else, is a wait, too.
    for (int tries = 0; by_caller != 100 && tries < 20; ++tries) {
      by_caller = 0;
      EXPECT_EQ(calculate(), absl::OkStatus());
    }
    EXPECT_EQ(by_caller, 100);
  });
}

// The first calls compute, the next one waits for time to pass, and the last
// two for each other.
TEST(ParallelForTest, WaitsInMoreThreadsThanProcessors) {
  for (const size_t calculating : {0, 20}) {
    OnOneProcessor([calculating] {
      Meeting meeting;
      EXPECT_EQ(ParallelFor(
                    calculating + 3,
                    [&](size_t i) {
                      if (i > calculating) return StatusOf(meeting);
                      if (i < calculating) {
                        Calculate();
                      } else {
                        std::this_thread::sleep_for(2 * kPause);
                      }
                      return absl::OkStatus();
                    },
                    kPause),
                absl::OkStatus());
    });
  }
}

TEST(ParallelForTest, WaitsForAllCallsWhenTheCallersThreadEnds) {
  std::atomic<int> under_way{0};
  std::thread caller([&] {
    const std::thread::id self = std::this_thread::get_id();
    ParallelFor(
        1000,
        [&](size_t) {
          ++under_way;
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
          --under_way;
          if (std::this_thread::get_id() == self) pthread_exit(nullptr);
          return absl::OkStatus();
        },
        kNoDelay)
        .IgnoreError();
  });
  caller.join();
  EXPECT_EQ(under_way, 0);
}

}  // namespace
}  // namespace fsload
