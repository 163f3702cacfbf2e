// The memory of one slot's calls that does not fit in the slot.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "fsload/internal/mutex.h"
#include "loader/isolation/slots.h"

namespace fsload {

// Holds the last buffer that the host gave a slot. Thread-safe.
class SlotBuffers final {
 public:
  // Replaces the buffer; null: the last one is not used any more.
  void Give(uint64_t number, std::shared_ptr<SharedMemory> memory) {
    const MutexLock lock(mutex_);
    number_ = number;
    memory_ = std::move(memory);
    given_.NotifyAll();
  }

  // Waits for the buffer of this number, which the host sends before it asks,
  // for 10 s. Null if it does not come.
  std::shared_ptr<SharedMemory> Await(uint64_t number) {
    constexpr std::chrono::seconds kTimeout{10};
    const auto end = std::chrono::steady_clock::now() + kTimeout;
    const MutexLock lock(mutex_);
    while (number_ < number) {
      if (!given_.WaitUntil(mutex_, end) && number_ < number) return nullptr;
    }
    return number_ == number ? memory_ : nullptr;
  }

 private:
  Mutex mutex_;
  CondVar given_;
  uint64_t number_ ABSL_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<SharedMemory> memory_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fsload
