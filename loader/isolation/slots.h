// The memory that a program shares with a worker: slots, each of which carries
// one call at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/system/descriptor.h"
#include "fsload/internal/cache_line.h"
#include "loader/machine/machine.h"

namespace fsload {

inline constexpr size_t kSlots = 64;  // calls at the same time

// The state of a slot, which says who may write to it: the caller until it has
// asked (kIdle, kAnswered), then the worker (kAsked). kEnded: the process has
// ended.
enum class SlotState : uint32_t { kIdle, kAsked, kAnswered, kEnded };

// What the worker is asked besides the operations.
inline constexpr uint32_t kLoadRequest = 1000;
inline constexpr uint32_t kFieldsRequest = 1001;  // those that had no space
inline constexpr uint32_t kRegionRequest = 1002;  // the contents of a region

// One call, as the caller writes it. Its contents are the first bytes of the
// slot's memory, and its fields follow them.
struct SlotRequest {
  uint64_t number;    // of the call; the answer repeats it
  uint32_t op;        // an Op, or one of the above
  uint32_t scheme;    // the index of the file system
  uint64_t file;      // the handle of an open file; 0: none
  uint64_t offset;    // in that file
  uint64_t contents;  // how many bytes are written, or may be read
  uint64_t fields;    // how many bytes of fields there are
  uint64_t buffer;    // the number of the buffer that holds both; 0: none
  uint64_t status;    // whether the fields begin with the status before
};

// What the worker writes. The bytes that were read are the first of the slot's
// memory; the fields follow the contents that were asked for.
struct SlotAnswer {
  uint64_t number;
  int32_t code;          // a TF_Code
  int32_t error;         // errno after the call
  uint32_t misses;       // it called a function that nobody provides
  uint32_t lacks_space;  // the fields must be asked for
  int64_t result;        // what the operation returned
  uint64_t fields;
};

struct alignas(kCacheLineBytes) SlotHead {
  std::atomic<uint32_t> state;          // a SlotState; futexes wait for it
  std::atomic<uint32_t> caller_sleeps;  // else it needs no wake
  std::atomic<uint32_t> worker_sleeps;
  SlotRequest request;
  SlotAnswer answer;
};
static_assert(std::atomic<uint32_t>::is_always_lock_free,
              "two processes must not share a lock");

// Memory of a memfd that cannot shrink, mapped. One thread at a time.
class SharedMemory final {
 public:
  // Creates memory of this size, which is taken when it is written to.
  // RESOURCE_EXHAUSTED if the machine has less.
  static absl::StatusOr<std::unique_ptr<SharedMemory>> Create(size_t bytes);

  // Maps what another process created. INVALID_ARGUMENT if it is smaller, or
  // can shrink.
  static absl::StatusOr<std::unique_ptr<SharedMemory>> Map(Descriptor file,
                                                           size_t bytes);

  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  char* data() const { return data_; }
  size_t size() const { return size_; }
  int descriptor() const { return file_.get(); }

  // Keeps this process from writing to it. False, with errno, if that fails.
  bool MakeReadOnly() const;

  // Makes sure that this part of the memory is there: otherwise, writing to it
  // could end the process. False, with errno, if it is not.
  bool Reserve(size_t offset, size_t bytes) const;

 private:
  SharedMemory(Descriptor file, char* data, size_t size)
      : file_(std::move(file)), data_(data), size_(size) {}

  Descriptor file_;
  char* const data_;
  const size_t size_;
};

// Where things are in the memory of all slots.
inline constexpr size_t kSlotBytes = size_t{68} << 10;  // of memory for a slot
inline constexpr size_t kHeadsBytes = size_t{64} << 10;
inline constexpr size_t kSlotsBytes = kHeadsBytes + kSlots * kSlotBytes;
static_assert(kSlots * sizeof(SlotHead) <= kHeadsBytes);

inline SlotHead& HeadOf(const SharedMemory& slots, size_t slot) {
  return reinterpret_cast<SlotHead*>(slots.data())[slot];
}
inline char* MemoryOf(const SharedMemory& slots, size_t slot) {
  return slots.data() + kHeadsBytes + slot * kSlotBytes;
}

// Waits by spinning, as long as that has paid lately: to sleep and to be woken
// takes two system calls and longer than a short operation. One thread at a
// time.
//
// While both sides sleep, each waits for the other's wake, too, so one that
// tried again alone would find that spinning does not pay. So both try again at
// the same calls, which their numbers tell.
class Spinner final {
 public:
  // Waits for call `number`, or for its answer. Returns whether `done` came
  // true.
  template <typename Done>
  bool Spin(uint64_t number, const Done& done) {
    const bool retries =
        number % kRetryEach < kRetries && number / kRetryEach != failed_;
    if (misses_ >= kMaxMisses && !retries) return done();
    const int64_t limit = retries ? kRetryLimits * Limit() : Limit();
    for (const int64_t end = Now() + limit; Now() < end;) {
      for (int i = 0; i < kPauses; ++i) {
        if (done()) {
          misses_ = 0;
          return true;
        }
        PauseSpinning();
      }
    }
    ++misses_;
    if (retries) failed_ = number / kRetryEach;
    return done();
  }

 private:
  static constexpr int kMaxMisses = 4;
  static constexpr int kPauses = 8;
  static constexpr uint64_t kRetryEach = 256;  // calls
  static constexpr uint64_t kRetries = 8;      // the first of these
  static constexpr int kRetryLimits =
      3;  // of Limit(): the other may have to wake

  static int64_t Limit();  // ns; 0 with one processor
  static int64_t Now();    // ns

  int misses_ = 0;                // since it last paid
  uint64_t failed_ = UINT64_MAX;  // number / kRetryEach of one in vain
};

// Sets the state, which gives the slot to the other side, and wakes that if it
// sleeps.
void SetState(SlotHead& head, SlotState state,
              std::atomic<uint32_t>& other_sleeps);

// Sleeps until the state may be other than `now`, at most for `timeout`.
void SleepWhile(SlotHead& head, uint32_t now, std::atomic<uint32_t>& sleeps,
                absl::Duration timeout);

// Wakes whoever sleeps on the slot.
void WakeSlot(SlotHead& head);

// Copies `bytes` from memory that another process may be changing: once, so
// that what was checked is what is used.
void CopyOnce(void* to, const void* from, size_t bytes);

}  // namespace fsload
