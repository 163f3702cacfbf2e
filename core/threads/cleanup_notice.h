// Notifies waiting threads that a file system has been cleaned up.
#pragma once

#include "absl/time/time.h"
#include "fsload/internal/mutex.h"

namespace fsload {

// Thread-safe.
class CleanupNotice final {
 public:
  // Signals that it is done. Call once.
  void Notify();

  // Waits until it is done; false if `timeout` passes first.
  bool WaitFor(absl::Duration timeout) const;

 private:
  mutable Mutex mutex_;
  mutable CondVar changed_;
  bool done_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace fsload
