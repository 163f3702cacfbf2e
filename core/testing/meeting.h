// Two threads that wait for each other.
#ifndef FSLOAD_CORE_TESTING_MEETING_H_
#define FSLOAD_CORE_TESTING_MEETING_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace fsload {

class Meeting final {
 public:
  // Waits until two threads are here; false if nobody else came within a
  // minute.
  bool Meet() {
    std::unique_lock<std::mutex> lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    return changed_.wait_for(lock, std::chrono::seconds(60),
                             [&] { return arrived_ == 2; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
};

}  // namespace fsload

#endif  // FSLOAD_CORE_TESTING_MEETING_H_
