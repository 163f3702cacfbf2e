// Keeps an object from being freed for a moment, without a lock and without a
// counter that threads share.
//
// A reader writes the object's address into a slot of its own thread; who wants
// to free the object looks through all threads' slots first. Readers pay two
// plain stores: the ordering that the scheme needs is forced on them by the
// writer, through membarrier(2), or by sequentially consistent stores where the
// kernel has no membarrier. Where it is taken away later, as a program that
// confines itself may do, writers also wait until no store of before can be
// under way. (These are hazard pointers: Michael, 2004; the waiting is that of
// Morrison and Afek, 2015.)
#ifndef FSLOAD_CORE_THREADS_HAZARD_SLOT_H_
#define FSLOAD_CORE_THREADS_HAZARD_SLOT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "absl/base/optimization.h"

namespace fsload {

// The slots of one thread; threads that need more have several. Records are
// never freed: the next thread takes one over. (Processors fetch lines of 64
// bytes in pairs.)
struct alignas(128) HazardRecord {
  static constexpr size_t kSlots = 5;

  std::atomic<const void*> slots[kSlots] = {};
  std::atomic<bool> owned{true};
  uint8_t used = 0;   // by the owner: one bit for each slot
  bool late = false;  // by the owner: nothing gives it back at thread exit
  HazardRecord* next_of_thread = nullptr;  // by the owner
  HazardRecord* next = nullptr;            // of all records
};

// This thread's records, the one used last first: for HazardSlot. (What is
// thread_local is read through a function in other files; this is not.)
extern __thread HazardRecord* records_of_thread;

// One slot, held for the life of this object by the thread that made it. Slots
// nest to any depth.
class HazardSlot final {
 public:
  HazardSlot() {
    HazardRecord* record = records_of_thread;
    if (ABSL_PREDICT_FALSE(record == nullptr || record->used == kAllUsed)) {
      record = RecordWithFreeSlot();
    }
    const unsigned used = record->used;
    bit_ = static_cast<uint8_t>(~used & (used + 1));  // the lowest that is free
    slot_ = &record->slots[__builtin_ctz(bit_)];
    record->used = static_cast<uint8_t>(used | bit_);
    record_ = record;
  }
  ~HazardSlot() {
    Clear();
    record_->used = static_cast<uint8_t>(record_->used & ~bit_);
    if (ABSL_PREDICT_FALSE(record_->late)) GiveBackIfUnused(record_);
  }
  HazardSlot(const HazardSlot&) = delete;
  HazardSlot& operator=(const HazardSlot&) = delete;

  // Loads `source` and protects the object it leads to, until Hold or Clear.
  template <typename T>
  const T* Protect(const std::atomic<const T*>& source) {
    const T* object = source.load(std::memory_order_acquire);
    while (true) {
      Hold(object);
      const T* again = source.load(std::memory_order_seq_cst);
      if (ABSL_PREDICT_TRUE(again == object)) return object;
      object = again;
    }
  }

  // Protects `object`, which what this slot protected so far keeps alive.
  void Hold(const void* object) {
    if (ABSL_PREDICT_TRUE(asymmetric_.load(std::memory_order_relaxed))) {
      slot_->store(object, std::memory_order_release);
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      slot_->store(object, std::memory_order_seq_cst);
    }
  }

  void Clear() { Hold(nullptr); }

  // For writers, after they unpublished an object and before IsHeld: from here
  // on, a reader that still may reach the object shows it in its slot.
  static void Fence();

  // Whether any thread's slot holds `object`.
  static bool IsHeld(const void* object);

  // Whether a slot of the calling thread holds `object`.
  static bool IsHeldByThisThread(const void* object);

  // The lock for all that changes what slots protect. A fork waits for it, so
  // that a child finds it free; in a child, the slots of the threads that it
  // does not have are empty.
  static std::mutex& WriterMutex();

 private:
  static constexpr unsigned kAllUsed = (1u << HazardRecord::kSlots) - 1;

  // A record of this thread, put in front of its others if it had none.
  static HazardRecord* RecordWithFreeSlot();

  // Gives back a record that was taken after its thread's others were. (It
  // takes the record, so that a slot itself can be in registers.)
  static void GiveBackIfUnused(HazardRecord* record);

  // Whether writers do the readers' part of the ordering.
  static std::atomic<bool> asymmetric_;

  HazardRecord* record_;
  std::atomic<const void*>* slot_;
  uint8_t bit_;  // of slot_, in record_->used
};

}  // namespace fsload

#endif  // FSLOAD_CORE_THREADS_HAZARD_SLOT_H_
