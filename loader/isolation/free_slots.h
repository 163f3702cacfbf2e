// Which slots of a worker nobody uses.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "loader/isolation/slots.h"

namespace fsload {

// A set of slots, all of them at first. Thread-safe, without a lock.
class FreeSlots final {
 public:
  // Takes the lowest one, whose thread and memory were used most recently.
  // False if there is none.
  bool Take(size_t& slot) {
    uint64_t free = free_.load(std::memory_order_relaxed);
    while (free != 0) {
      const uint64_t lowest = free & (~free + 1);
      // Acquire: what the last one did with the slot is seen, see Free.
      if (free_.compare_exchange_weak(free, free & ~lowest,
                                      std::memory_order_acquire,
                                      std::memory_order_relaxed)) {
        slot = static_cast<size_t>(__builtin_ctzll(lowest));
        return true;
      }
    }
    return false;
  }

  // Puts one back.
  void Free(size_t slot) {
    // Release: whoever takes it sees what was done with it until here.
    free_.fetch_or(uint64_t{1} << slot, std::memory_order_release);
  }

 private:
  static_assert(kSlots == 64);
  std::atomic<uint64_t> free_{~uint64_t{0}};  // a bit for each slot
};

}  // namespace fsload
