// Notifies waiting threads that a file system has been cleaned up.
#pragma once

#include <atomic>

#include "absl/time/time.h"
#include "core/system/of_process.h"
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
  struct Waiting {
    Mutex mutex;
    CondVar changed;
  };
  mutable OfProcess<Waiting> waiting_;
  std::atomic<bool> done_{false};  // written under the mutex
};

}  // namespace fsload
