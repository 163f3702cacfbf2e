// Keeps an object from being freed for a moment, without a lock or a counter
// that threads share.
//
// A reader writes the object's address into a slot of its own thread; a thread
// that wants to free the object first checks all threads' slots. Readers pay
// two plain stores: the writer forces the required ordering on them with
// membarrier(2); if the kernel lacks it, readers use sequentially consistent
// stores. If membarrier becomes unavailable later, as in a program that
// confines itself, writers also wait until no earlier store can be in progress.
// (These are hazard pointers: Michael, 2004; the waiting is that of Morrison
// and Afek, 2015.)
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/base/optimization.h"
#include "fsload/internal/cache_line.h"
#include "fsload/internal/mutex.h"

namespace fsload {

// The slots of one thread; a thread that needs more has several records.
// Records are never freed: the next thread reuses them. (Processors fetch
// 64-byte lines in pairs, or have lines of 128.)
struct alignas(kCacheLinePairBytes) HazardRecord {
  static constexpr size_t kSlots = 5;

  std::atomic<const void*> slots[kSlots] = {};
  std::atomic<bool> owned{true};
  uint8_t used = 0;   // set by the owner: one bit per slot
  bool late = false;  // set by the owner: not released at thread exit
  HazardRecord* next_of_thread = nullptr;  // set by the owner
  HazardRecord* next = nullptr;            // of all records
};

// This thread's records, the last used one first, for HazardPointer. (Unlike
// this, a thread_local variable is read through a function in other files.)
extern __thread HazardRecord* records_of_thread;

// One slot, held for the life of this object by the thread that made it. Slots
// nest to any depth.
class HazardPointer final {
 public:
  HazardPointer() {
    HazardRecord* record = records_of_thread;
    if (ABSL_PREDICT_FALSE(record == nullptr || record->used == kAllUsed)) {
      record = RecordWithFreeSlot();
    }
    const unsigned used = record->used;
    bit_ = static_cast<uint8_t>(~used & (used + 1));  // the lowest free one
    slot_ = &record->slots[__builtin_ctz(bit_)];
    record->used = static_cast<uint8_t>(used | bit_);
    record_ = record;
  }
  ~HazardPointer() {
    Clear();
    record_->used = static_cast<uint8_t>(record_->used & ~bit_);
    if (ABSL_PREDICT_FALSE(record_->late)) GiveBackIfUnused(record_);
  }
  HazardPointer(const HazardPointer&) = delete;
  HazardPointer& operator=(const HazardPointer&) = delete;

  // Loads `source` and protects the object it points to until Hold or Clear.
  template <typename T>
  const T* Protect(const std::atomic<const T*>& source) {
    // Acquire: the object was written before it was published.
    const T* object = source.load(std::memory_order_acquire);
    while (true) {
      Hold(object);
      // Not before the slot is written: the writer's membarrier sees to that,
      // or that both are sequentially consistent.
      const T* again = source.load(std::memory_order_seq_cst);
      if (ABSL_PREDICT_TRUE(again == object)) return object;
      object = again;
    }
  }

  // Protects `object`, which must be kept alive so far by the object that this
  // slot protects.
  void Hold(const void* object) {
    // Relaxed: who reads an old value is waited for (Fence).
    if (ABSL_PREDICT_TRUE(asymmetric_.load(std::memory_order_relaxed))) {
      // Release: all uses of what the slot held come before.
      slot_->store(object, std::memory_order_release);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      slot_->store(object, std::memory_order_seq_cst);
    }
  }

  void Clear() { Hold(nullptr); }

  // Orders memory for writers, after unpublishing an object and before IsHeld:
  // afterwards, every reader that can still reach the object has it in its
  // slot.
  static void Fence();

  // Returns whether any thread's slot holds `object`.
  static bool IsHeld(const void* object);

  // Returns whether a slot of the calling thread holds `object`.
  static bool IsHeldByThisThread(const void* object);

  // Returns the lock for all changes of what slots protect. fork waits for it,
  // so that a child finds it free; in a child, the slots of threads that did
  // not survive the fork are empty.
  static Mutex& WriterMutex();

 private:
  static constexpr unsigned kAllUsed = (1u << HazardRecord::kSlots) - 1;

  // Returns a record of this thread, put in front of its others if it is new.
  static HazardRecord* RecordWithFreeSlot();

  // Releases a record that was taken after its thread's others were released.
  // (It takes the record so that a slot itself can stay in registers.)
  static void GiveBackIfUnused(HazardRecord* record);

  // Whether writers provide the readers' part of the ordering.
  static std::atomic<bool> asymmetric_;

  HazardRecord* record_;
  std::atomic<const void*>* slot_;
  uint8_t bit_;  // bit of slot_ in record_->used
};

}  // namespace fsload
