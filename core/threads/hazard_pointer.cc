#include "core/threads/hazard_pointer.h"

#include <linux/membarrier.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "absl/base/attributes.h"

namespace fsload {

__thread HazardRecord* records_of_thread = nullptr;

namespace {

std::atomic<HazardRecord*> all_records{nullptr};

// Whether membarrier was available at first, so that some readers may still
// rely on it.
std::atomic<bool> membarrier_was_lost{false};

bool Membarrier(int command) {
  return syscall(SYS_membarrier, command, 0, 0) == 0;
}

bool Register() {
  return Membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

// Whether this thread has reached the destructors of its thread_local objects.
// Those that run later may still look up schemes.
thread_local bool thread_ends = false;

// Releases a thread's records when it ends.
struct ReleaseAtThreadExit {
  ~ReleaseAtThreadExit() {
    thread_ends = true;
    for (HazardRecord* record = records_of_thread; record != nullptr;) {
      HazardRecord* const next = record->next_of_thread;
      if (record->used == 0) {
        record->next_of_thread = nullptr;
        // Release, and the next owner's exchange acquires: the record is empty.
        record->owned.store(false, std::memory_order_release);
      }
      record = next;
    }
    records_of_thread = nullptr;
  }
};

// Acquires what a record's first owner wrote.
HazardRecord* TakeOver() {
  for (HazardRecord* record = all_records.load(std::memory_order_acquire);
       record != nullptr; record = record->next) {
    bool owned = false;
    if (record->owned.compare_exchange_strong(owned, true)) return record;
  }
  return nullptr;
}

HazardRecord* NewRecord() {
  auto* record = new HazardRecord;
  // Sequentially consistent, as the load of IsHeld: of a writer that replaces
  // an object and then looks for records, and a reader that adds a record and
  // then looks for the object, one sees the other. Only the exchange decides
  // which record comes next, so the loads are relaxed.
  record->next = all_records.load(std::memory_order_relaxed);
  while (!all_records.compare_exchange_weak(record->next, record,
                                            std::memory_order_seq_cst,
                                            std::memory_order_relaxed)) {
  }
  return record;
}

// Puts a record with a free slot in front of this thread's others.
HazardRecord* AddRecord() {
  static thread_local ReleaseAtThreadExit release;
  static_cast<void>(release);
  // Before there is a slot, forked children must learn to release it.
  static_cast<void>(HazardPointer::WriterMutex());
  HazardRecord* record = TakeOver();
  if (record == nullptr) record = NewRecord();
  record->late = thread_ends;
  record->next_of_thread = records_of_thread;
  records_of_thread = record;
  return record;
}

bool BelongsToThisThread(const HazardRecord* wanted) {
  for (const HazardRecord* record = records_of_thread; record != nullptr;
       record = record->next_of_thread) {
    if (record == wanted) return true;
  }
  return false;
}

// Waits far longer than a processor keeps a store to itself.
void WaitForStores() {
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
  while (std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

Mutex& ForkSafeMutex() {
  static Mutex* mutex = new Mutex;
  return *mutex;
}

// Only the thread that forked exists in the child.
void CleanUpChild() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  for (HazardRecord* record = all_records.load(std::memory_order_acquire);
       record != nullptr; record = record->next) {
    if (BelongsToThisThread(record)) continue;
    for (auto& slot : record->slots) slot.store(nullptr);
    record->used = 0;
    record->next_of_thread = nullptr;
    record->owned.store(false);
  }
  ForkSafeMutex().Unlock();
}

}  // namespace

std::atomic<bool> HazardPointer::asymmetric_{Register()};

ABSL_ATTRIBUTE_NOINLINE HazardRecord* HazardPointer::RecordWithFreeSlot() {
  for (HazardRecord* record = records_of_thread; record != nullptr;
       record = record->next_of_thread) {
    if (record->used != kAllUsed) return record;
  }
  return AddRecord();
}

void HazardPointer::GiveBackIfUnused(HazardRecord* record) {
  if (record->used != 0) return;
  HazardRecord** link = &records_of_thread;
  while (*link != record) link = &(*link)->next_of_thread;
  *link = record->next_of_thread;
  record->next_of_thread = nullptr;
  record->late = false;
  // As at the end of a thread.
  record->owned.store(false, std::memory_order_release);
}

void HazardPointer::Fence() {
  if (!asymmetric_.load() && !membarrier_was_lost.load()) return;
  if (Membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  // A forked child may have to register again.
  if (Register() && Membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  // membarrier became unavailable. A thread that is between checking this and
  // its plain store may resume at any time, so each fence waits. In this order:
  // whoever finds `asymmetric_` false must find that it was lost.
  membarrier_was_lost.store(true);
  asymmetric_.store(false);
  WaitForStores();
}

bool HazardPointer::IsHeld(const void* object) {
  for (const HazardRecord* record = all_records.load(std::memory_order_seq_cst);
       record != nullptr; record = record->next) {
    for (const auto& slot : record->slots) {
      // Not before Fence; and the reader's uses come before what it stores
      // next.
      if (slot.load(std::memory_order_seq_cst) == object) return true;
    }
  }
  return false;
}

bool HazardPointer::IsHeldByThisThread(const void* object) {
  for (const HazardRecord* record = records_of_thread; record != nullptr;
       record = record->next_of_thread) {
    for (const auto& slot : record->slots) {
      // Relaxed: no other thread writes it.
      if (slot.load(std::memory_order_relaxed) == object) return true;
    }
  }
  return false;
}

Mutex& HazardPointer::WriterMutex() {
  static const bool registered = [] {
    pthread_atfork(
        []() ABSL_NO_THREAD_SAFETY_ANALYSIS { ForkSafeMutex().Lock(); },
        []() ABSL_NO_THREAD_SAFETY_ANALYSIS { ForkSafeMutex().Unlock(); },
        &CleanUpChild);
    return true;
  }();
  static_cast<void>(registered);
  return ForkSafeMutex();
}

}  // namespace fsload
