// Two threads that wait for each other.
#pragma once

#include <chrono>

#include "fsload/internal/mutex.h"

namespace fsload {

class Meeting final {
 public:
  // Waits until two threads are here; false if nobody else came within a
  // minute.
  bool Meet() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    const MutexLock lock(mutex_);
    ++arrived_;
    changed_.NotifyAll();
    while (arrived_ < 2) {
      if (!changed_.WaitUntil(mutex_, end)) break;
    }
    return arrived_ == 2;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  int arrived_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace fsload
