// A file system whose calls are counted, or shown to any other observer.
#ifndef FSLOAD_METERED_H_
#define FSLOAD_METERED_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "fsload/export.h"
#include "fsload/file_system.h"
#include "fsload/internal/cache_line.h"
#include "fsload/op.h"
#include "fsload/op_observer.h"

namespace FSLOAD_API fsload {

// What the calls of one operation came to.
struct OpTotals {
  uint64_t calls = 0;
  uint64_t errors = 0;  // calls with any code but TF_OK or a read's end of file
  uint64_t bytes = 0;   // read or appended
  std::chrono::nanoseconds time{0};  // of all calls together
};

// Adds up calls, by operation. Without a lock: a call adds to four numbers that
// only calls of the same operation share. Thread-safe.
class OpMeter final : public OpObserver {
 public:
  void OnCall(const OpCall& call) override;

  // Returns the totals so far. Those of a call that is being added may be half
  // in.
  OpTotals Totals(Op op) const;

 private:
  // Apart, so that operations do not slow each other down.
  struct alignas(kCacheLineBytes) Counts {
    std::atomic<uint64_t> calls{0};
    std::atomic<uint64_t> errors{0};
    std::atomic<uint64_t> bytes{0};
    std::atomic<int64_t> nanoseconds{0};
  };

  std::array<Counts, kOps> counts_;
};

// Returns a file system of the scheme of `inner`, whose ownership it
// shares. `observer`, an OpMeter for one, sees each call of it that has a
// status, with the path as the plugin sees it; the observer of LoadOptions goes
// on seeing those that reach the plugin. Above Retrying it sees calls, below it
// attempts. Thread-safe.
//
// INVALID_ARGUMENT for a null argument; RESOURCE_EXHAUSTED if the kernel has no
// memory.
absl::StatusOr<FileSystemPtr> Metered(FileSystemPtr inner,
                                      std::shared_ptr<OpObserver> observer);

}  // namespace fsload

#endif  // FSLOAD_METERED_H_
