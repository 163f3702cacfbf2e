// Tells those who wait that a file system has been cleaned up.
#ifndef FSLOAD_CORE_THREADS_CLEANUP_NOTICE_H_
#define FSLOAD_CORE_THREADS_CLEANUP_NOTICE_H_

#include <condition_variable>
#include <mutex>

#include "absl/time/time.h"

namespace fsload {

// May be used from any thread.
class CleanupNotice final {
 public:
  // Says that it is done. Once.
  void Notify();

  // Waits until it is done; false when `timeout` has passed before.
  bool WaitFor(absl::Duration timeout) const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  bool done_ = false;
};

}  // namespace fsload

#endif  // FSLOAD_CORE_THREADS_CLEANUP_NOTICE_H_
