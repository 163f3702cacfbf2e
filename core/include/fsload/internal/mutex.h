// A mutex and a condition variable that clang's -Wthread-safety checks: those
// of libstdc++ have no annotations.
#ifndef FSLOAD_INTERNAL_MUTEX_H_
#define FSLOAD_INTERNAL_MUTEX_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "absl/base/thread_annotations.h"
#include "fsload/export.h"

namespace FSLOAD_API fsload {

class ABSL_LOCKABLE Mutex final {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  friend class CondVar;

  std::mutex mutex_;
};

// Holds a mutex while it lives.
class ABSL_SCOPED_LOCKABLE MutexLock final {
 public:
  explicit MutexLock(Mutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex)
      : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// Waits may end early, so callers check in a loop what they wait for.
class CondVar final {
 public:
  // Unlocks `mutex` while it waits.
  void Wait(Mutex& mutex) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    Adopted adopted(mutex);
    changed_.wait(adopted.lock);
  }

  // Waits until `end` at most. Returns false if that has passed.
  template <typename Clock, typename Duration>
  bool WaitUntil(Mutex& mutex, std::chrono::time_point<Clock, Duration> end)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    Adopted adopted(mutex);
    return changed_.wait_until(adopted.lock, end) == std::cv_status::no_timeout;
  }

  void NotifyOne() { changed_.notify_one(); }
  void NotifyAll() { changed_.notify_all(); }

 private:
  // The lock of a mutex that the caller holds, and still holds at the end, also
  // if its thread is cancelled while it waits.
  struct Adopted {
    explicit Adopted(Mutex& mutex) : lock(mutex.mutex_, std::adopt_lock) {}
    ~Adopted() { lock.release(); }
    Adopted(const Adopted&) = delete;
    Adopted& operator=(const Adopted&) = delete;
    std::unique_lock<std::mutex> lock;
  };

  std::condition_variable changed_;
};

}  // namespace fsload

#endif  // FSLOAD_INTERNAL_MUTEX_H_
