#include "fsload/call_pool.h"

#include <pthread.h>

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "fsload/stop_token.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

// What a plugin waits for that does not answer.
class Answer {
 public:
  void Give() { promise_.set_value(); }
  std::function<absl::Status()> Call() {
    return [answer = answer_, begun = begun_] {
      ++*begun;
      answer.wait();
      return absl::OkStatus();
    };
  }
  void WaitUntilBegun(int calls) const {
    while (*begun_ < calls) absl::SleepFor(absl::Milliseconds(1));
  }

 private:
  std::promise<void> promise_;
  const std::shared_future<void> answer_ = promise_.get_future().share();
  const std::shared_ptr<std::atomic<int>> begun_ =
      std::make_shared<std::atomic<int>>(0);
};

void WaitUntilIdle(const CallPool& pool) {
  while (pool.calls_in_progress() > 0) absl::SleepFor(absl::Milliseconds(1));
}

constexpr absl::Duration kShort = absl::Milliseconds(20);

const absl::Status& StatusOf(const absl::Status& status) { return status; }

template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

// Begins a call that does not end in time. On a busy machine it may not even
// have begun then, and is made again.
template <typename Call>
absl::Status CallInVain(CallPool& pool, const Call& call) {
  for (absl::Duration timeout = kShort;; timeout *= 2) {
    const auto result = pool.Call(call, {timeout});
    const absl::Status& status = StatusOf(result);
    if (status.message().find("; the call continues") != std::string::npos) {
      return status;
    }
    EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
    if (!absl::IsDeadlineExceeded(status)) return status;
  }
}

TEST(CallPoolTest, YieldsWhatTheCallDoes) {
  CallPool pool;
  EXPECT_EQ(*pool.Call([] { return absl::StatusOr<int>(7); }), 7);
  EXPECT_EQ(pool.Call([] { return absl::NotFoundError("a"); }),
            absl::NotFoundError("a"));
  const auto moved = std::make_shared<std::unique_ptr<int>>(new int(3));
  EXPECT_EQ(**pool.Call([moved] {
    return absl::StatusOr<std::unique_ptr<int>>(std::move(*moved));
  }),
            3);
}

TEST(CallPoolTest, RunsSeveralCallsAtOnce) {
  CallPool pool(4);
  std::atomic<int> here{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      EXPECT_EQ(pool.Call([&] {
        for (++here; here < 4;) std::this_thread::yield();
        return absl::OkStatus();
      }),
                absl::OkStatus());
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(CallPoolTest, GivesUpAfterTheTimeout) {
  CallPool pool;
  Answer answer;
  const absl::Status status = CallInVain(pool, answer.Call());
  EXPECT_TRUE(absl::IsDeadlineExceeded(status));
  EXPECT_THAT(
      std::string(status.message()),
      MatchesRegex("no answer within [0-9.]+m?s; the call continues.*"));
  EXPECT_EQ(pool.calls_in_progress(), 1);
  answer.Give();
  WaitUntilIdle(pool);
}

TEST(CallPoolTest, GivesUpWhenAStopIsRequested) {
  CallPool pool;
  Answer answer;
  StopSource source;
  std::thread stopper([&] {
    answer.WaitUntilBegun(1);
    source.RequestStop();
  });
  const absl::Status status =
      pool.Call(answer.Call(), {absl::InfiniteDuration(), source.token()});
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  stopper.join();
  answer.Give();
}

TEST(CallPoolTest, BeginsNothingAfterAStop) {
  CallPool pool(1);
  Answer answer;
  CallInVain(pool, answer.Call()).IgnoreError();
  StopSource source;
  source.RequestStop();
  bool called = false;
  const absl::Status status = pool.Call(
      [&] {
        called = true;
        return absl::OkStatus();
      },
      {absl::InfiniteDuration(), source.token()});
  EXPECT_THAT(std::string(status.message()), HasSubstr("did not begin"));
  answer.Give();
  WaitUntilIdle(pool);
  EXPECT_EQ(pool.Call([] { return absl::OkStatus(); }), absl::OkStatus());
  EXPECT_FALSE(called);
}

// Destroyed where nobody waits for it.
struct Result {
  explicit Result(std::shared_ptr<std::atomic<int>> given)
      : destroyed(std::move(given)) {}
  ~Result() {
    if (destroyed != nullptr) ++*destroyed;
  }
  Result(Result&& other) noexcept = default;
  Result& operator=(Result&& other) noexcept = default;
  std::shared_ptr<std::atomic<int>> destroyed;
};

TEST(CallPoolTest, DropsALateResult) {
  const auto destroyed = std::make_shared<std::atomic<int>>(0);
  CallPool pool;
  Answer answer;
  const auto late = [call = answer.Call(),
                     destroyed]() -> absl::StatusOr<Result> {
    call().IgnoreError();
    return Result(destroyed);
  };
  CallInVain(pool, late).IgnoreError();
  EXPECT_EQ(*destroyed, 0);
  answer.Give();
  WaitUntilIdle(pool);
  EXPECT_EQ(*destroyed, 1);
}

TEST(CallPoolTest, MayBeDestroyedBeforeItsCallsEnd) {
  Answer answer;
  const auto held = std::make_shared<int>(1);
  {
    CallPool pool;
    CallInVain(pool, [held, call = answer.Call()] {
      return call();
    }).IgnoreError();
  }
  EXPECT_GT(held.use_count(), 1);
  answer.Give();
  while (held.use_count() > 1) absl::SleepFor(absl::Milliseconds(1));
}

TEST(CallPoolTest, ThrowsWhatTheCallThrows) {
  CallPool pool(1);
  EXPECT_THROW(pool.Call([]() -> absl::Status { throw std::range_error("x"); })
                   .IgnoreError(),
               std::range_error);
  EXPECT_EQ(pool.Call([] { return absl::OkStatus(); }), absl::OkStatus());
}

TEST(CallPoolTest, ReplacesAThreadThatThePluginEnded) {
  CallPool pool(1);
  const absl::Status status = pool.Call([]() -> absl::Status {
    pthread_exit(nullptr);
    return absl::OkStatus();
  });
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_EQ(pool.Call([] { return absl::OkStatus(); }), absl::OkStatus());
}

TEST(CallPoolTest, BeginsTheNextCallAfterAPluginEndedTheOnlyThread) {
  CallPool pool(1);
  Answer answer;
  std::thread first([&] {
    static_cast<void>(pool.Call([wait = answer.Call()] {
      static_cast<void>(wait());
      pthread_exit(nullptr);
      return absl::OkStatus();
    }));
  });
  answer.WaitUntilBegun(1);
  absl::Status next = absl::UnknownError("not asked");
  std::thread second([&] {
    next = pool.Call([] { return absl::OkStatus(); }, {absl::Seconds(10)});
  });
  absl::SleepFor(kShort);  // until the second call waits for the thread
  answer.Give();
  first.join();
  second.join();
  EXPECT_EQ(next, absl::OkStatus());
}

// Takes its time to be destroyed, as a file that is closed then.
struct SlowResult {
  explicit SlowResult(std::shared_ptr<std::atomic<bool>> given)
      : closed(std::move(given)) {}
  ~SlowResult() {
    if (closed == nullptr) return;
    absl::SleepFor(10 * kShort);
    *closed = true;
  }
  SlowResult(SlowResult&& other) noexcept = default;
  SlowResult& operator=(SlowResult&& other) noexcept = default;
  std::shared_ptr<std::atomic<bool>> closed;
};

TEST(CallPoolTest, CountsACallUntilItsLateResultIsDestroyed) {
  const auto closed = std::make_shared<std::atomic<bool>>(false);
  CallPool pool;
  Answer answer;
  const auto late = [call = answer.Call(),
                     closed]() -> absl::StatusOr<SlowResult> {
    call().IgnoreError();
    return SlowResult(closed);
  };
  CallInVain(pool, late).IgnoreError();
  answer.Give();
  WaitUntilIdle(pool);
  EXPECT_TRUE(*closed);
}

TEST(CallPoolTest, HasAThreadEvenIfItIsToldToHaveNone) {
  CallPool pool(0);
  EXPECT_EQ(pool.Call([] { return absl::OkStatus(); }, {absl::Seconds(10)}),
            absl::OkStatus());
}

TEST(CallPoolTest, BeginsNothingThatNobodyWaitsFor) {
  CallPool pool;
  EXPECT_EQ(pool.Call([] { return absl::OkStatus(); }), absl::OkStatus());
  StopSource source;
  source.RequestStop();
  const auto called = std::make_shared<std::atomic<int>>(0);
  const auto count = [called] {
    ++*called;
    return absl::OkStatus();
  };
  for (int i = 0; i < 100; ++i) {
    for (const CallOptions& over :
         {CallOptions{absl::InfiniteDuration(), source.token()},
          CallOptions{absl::ZeroDuration()},
          CallOptions{-absl::InfiniteDuration()}}) {
      EXPECT_THAT(std::string(pool.Call(count, over).message()),
                  HasSubstr("; the call did not begin"));
    }
  }
  WaitUntilIdle(pool);
  EXPECT_EQ(*called, 0);
}

TEST(CallPoolTest, TellsThoseWhoWaitForItWhenItIsDestroyed) {
  Answer answer;
  auto pool = std::make_unique<CallPool>(1);
  CallInVain(*pool, answer.Call()).IgnoreError();
  std::promise<void> asks;
  absl::Status status;
  std::thread caller([&, asked = pool.get()] {
    asks.set_value();
    status = asked->Call([] { return absl::OkStatus(); }, {absl::Seconds(10)});
  });
  asks.get_future().wait();
  absl::SleepFor(kShort);  // until the call waits for a thread
  pool.reset();
  caller.join();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  answer.Give();
}

}  // namespace
}  // namespace fsload
