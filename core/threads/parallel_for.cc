#include "core/threads/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "core/threads/processors.h"
#include "core/threads/wait_count.h"
#include "fsload/internal/mutex.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using Clock = std::chrono::steady_clock;

class Calls {
 public:
  Calls(size_t count, const std::function<absl::Status(size_t)>& work,
        size_t max_threads)
      : work_(work), max_threads_(max_threads), end_(count) {}

  absl::Status Run(std::chrono::microseconds start_delay) {
    // However the caller ends.
    const absl::Cleanup end_calls = [this] {
      end_ = 0;
      JoinThreads();
    };
    const WaitCount waits;
    const auto start = Clock::now();
    while (Clock::now() - start < start_delay) {
      if (!CallNext()) return error();
    }
    size_t wanted = max_threads_;
    // Calls that only compute gain nothing from more threads than processors.
    if (next_ != 0 && waits.Get() == 0) wanted = std::min(wanted, Processors());
    StartThreads(wanted);
    auto last_look = Clock::now();
    while (CallNext()) {
      if (wanted == max_threads_ || Clock::now() - last_look < start_delay) {
        continue;
      }
      if (waits.Get() > 0) StartThreads(wanted = max_threads_);
      last_look = Clock::now();
    }
    JoinThreads();
    return error();
  }

 private:
  absl::Status error() {
    const MutexLock lock(mutex_);
    if (no_memory_) throw std::bad_alloc();
    return error_;
  }

  bool CallNext() {
    const size_t number = next_++;
    if (number >= end_) return false;
    // The call has failed if it does not return.
    absl::Status status = InternalError(
        "the plugin ended the thread of a call; what it did is unknown");
    const absl::Cleanup note = [&] {
      if (!status.ok()) Fail(number, std::move(status));
    };
    status = work_(number);
    return true;
  }

  // In a thread of its own, which no exception may leave.
  void CallAll() {
    try {
      while (CallNext()) {
      }
    } catch (const std::bad_alloc&) {
      const MutexLock lock(mutex_);
      end_ = 0;
      no_memory_ = true;
    }
  }

  void Fail(size_t number, absl::Status error) {
    const MutexLock lock(mutex_);
    // Lower numbers have been taken and may still fail.
    if (number >= end_) return;
    end_ = number;
    error_ = std::move(error);
  }

  // Brings the number of threads, including the caller's, to `wanted`.
  void StartThreads(size_t wanted) {
    const size_t end = end_;
    const size_t left = end - std::min(end, next_.load());
    try {
      while (threads_.size() + 1 < std::min(wanted, left)) {
        threads_.emplace_back([this] { CallAll(); });
      }
    } catch (const std::system_error&) {
      // The existing threads do the work.
    }
  }

  void JoinThreads() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  const std::function<absl::Status(size_t)>& work_;
  const size_t max_threads_;
  // The default order; relaxed would do: that `end_` is seen late costs a call,
  // and the results are read after the threads were joined.
  std::atomic<size_t> next_{0};
  std::atomic<size_t> end_;  // the lowest number that failed, or the count
  Mutex mutex_;              // held for writes of end_
  absl::Status error_ ABSL_GUARDED_BY(mutex_);
  bool no_memory_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace

absl::Status ParallelFor(size_t count,
                         const std::function<absl::Status(size_t)>& work,
                         std::chrono::microseconds start_delay,
                         size_t max_threads) {
  return Calls(count, work, max_threads).Run(start_delay);
}

}  // namespace fsload
