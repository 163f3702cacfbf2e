// Calls with a deadline.
//
// An operation of a plugin cannot be cancelled (L131-L930), and a thread cannot
// be ended from outside. So a call that its caller gives up continues in its
// thread until the plugin returns, and its result is dropped.
#ifndef FSLOAD_CALL_POOL_H_
#define FSLOAD_CALL_POOL_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "fsload/export.h"
#include "fsload/stop_token.h"

namespace FSLOAD_API fsload {

// How long a caller waits.
struct CallOptions {
  absl::Duration timeout = absl::InfiniteDuration();
  StopToken stop = {};
};

// Runs calls in threads of its own, so that a caller can stop waiting for one.
// Thread-safe, but a forked child must not use its parent's.
class CallPool final {
 public:
  // Runs at most `max_threads` calls at the same time, including those that
  // nobody waits for any more: while all threads wait for a plugin that does
  // not answer, no other call begins. Threads start as they are needed; 0 is
  // treated as 1.
  explicit CallPool(size_t max_threads = 8);

  // Drops the calls that have not begun; whoever still waits for one gets
  // CANCELLED. Does not wait for those in progress: each ends by itself and
  // then releases what it holds.
  ~CallPool();
  CallPool(const CallPool&) = delete;
  CallPool& operator=(const CallPool&) = delete;

  // Returns the result of `call`, a function that returns an absl::Status or an
  // absl::StatusOr. DEADLINE_EXCEEDED once the timeout expires, CANCELLED once
  // a stop is requested; either says whether the call has begun. It does not
  // begin if the timeout is not positive, or a stop was requested before.
  // CANCELLED if the pool is destroyed before it begins; UNAVAILABLE if no
  // thread can be started; INTERNAL if the plugin ends the thread. Throws what
  // `call` throws.
  //
  // `call` must own what it uses, such as the FileSystemPtr, the buffer that it
  // reads into and copies of paths: it may outlive this call, and the pool. So
  // may its result: a file that was opened too late is closed, and a writable
  // one then has what was written to it.
  template <typename F>
  std::invoke_result_t<F&> Call(F call, const CallOptions& options = {}) {
    using Result = std::invoke_result_t<F&>;
    struct Owned {
      explicit Owned(F given) : function(std::move(given)) {}
      F function;
      std::optional<Result> result;
    };
    auto owned = std::make_shared<Owned>(std::move(call));
    const absl::Status waited =
        Run([owned] { owned->result.emplace(owned->function()); }, options);
    if (!waited.ok()) return waited;
    return *std::move(owned->result);
  }

  // Returns how many calls have begun and not ended. A call whose result nobody
  // waits for ends when that result is destroyed.
  size_t calls_in_progress() const;

 private:
  struct Job;
  class Threads;

  absl::Status Run(std::function<void()> work, const CallOptions& options);

  const std::shared_ptr<Threads> threads_;
};

}  // namespace fsload

#endif  // FSLOAD_CALL_POOL_H_
