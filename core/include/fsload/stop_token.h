// A request to stop, from one thread to others.
#ifndef FSLOAD_STOP_TOKEN_H_
#define FSLOAD_STOP_TOKEN_H_

#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <utility>

#include "fsload/export.h"
#include "fsload/internal/mutex.h"

namespace FSLOAD_API fsload {

// Tells whether a stop was requested. Cheap to copy; thread-safe. (As
// std::stop_token of C++20.)
class StopToken final {
 public:
  // Makes a token without a source, for which no stop is ever requested.
  StopToken() = default;

  // Returns whether a stop was requested. Takes no lock, which in a forked
  // child another thread of its parent may have had.
  bool stop_requested() const {
    return state_ != nullptr && state_->stopped.load(std::memory_order_acquire);
  }

  // Returns whether its source was made in another process, of which this one
  // is a forked child: a StopCallback may wait for ever for a lock that a
  // thread there had.
  bool is_from_parent() const {
    return state_ != nullptr && state_->process != getpid();
  }

 private:
  friend class StopSource;
  friend class StopCallback;

  struct State {
    const pid_t process = getpid();
    Mutex mutex;
    // Written with the mutex. Whoever sees it, by `acquire`, also sees what was
    // written before the stop was requested.
    std::atomic<bool> stopped{false};
    std::list<std::function<void()>> callbacks ABSL_GUARDED_BY(mutex);
  };

  explicit StopToken(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

// Requests a stop of whoever holds one of its tokens. Thread-safe.
class StopSource final {
 public:
  // Returns a token for which this source requests the stop.
  StopToken token() const { return StopToken(state_); }

  // Requests a stop: runs the callbacks on this thread before it returns. Has
  // no effect after the first time.
  void RequestStop() {
    const MutexLock lock(state_->mutex);
    if (state_->stopped.exchange(true)) return;
    for (const auto& callback : state_->callbacks) callback();
  }

 private:
  const std::shared_ptr<StopToken::State> state_ =
      std::make_shared<StopToken::State>();
};

// Calls `callback` once when a stop is requested, in the thread that requests
// it; in the constructor if one was requested before. The callback runs under a
// lock: it must be short, must not throw, and must not use the token, its
// source, or a StopCallback of them.
class StopCallback final {
 public:
  StopCallback(const StopToken& token, std::function<void()> callback)
      : state_(token.state_) {
    if (state_ == nullptr) return;
    const MutexLock lock(state_->mutex);
    if (state_->stopped) callback();
    place_ =
        state_->callbacks.insert(state_->callbacks.end(), std::move(callback));
  }

  // Waits for a callback in progress.
  ~StopCallback() {
    if (state_ == nullptr) return;
    const MutexLock lock(state_->mutex);
    state_->callbacks.erase(place_);
  }
  StopCallback(const StopCallback&) = delete;
  StopCallback& operator=(const StopCallback&) = delete;

 private:
  const std::shared_ptr<StopToken::State> state_;
  std::list<std::function<void()>>::iterator place_;
};

}  // namespace fsload

#endif  // FSLOAD_STOP_TOKEN_H_
