// Owners of an object that are cheap to make and to drop: one atomic addition
// each, or, as long as the process has one thread, a plain one.
#ifndef FSLOAD_CORE_OWNER_COUNT_H_
#define FSLOAD_CORE_OWNER_COUNT_H_

#include <sys/single_threaded.h>

#include <atomic>
#include <cstdint>
#include <memory>

namespace fsload {

// What an object derives from that its owners delete, the last of them. It
// begins with one owner: who made it.
class OwnerCount {
 public:
  struct Drop {
    void operator()(const OwnerCount* owned) const { owned->DropOwner(); }
  };

  OwnerCount(const OwnerCount&) = delete;
  OwnerCount& operator=(const OwnerCount&) = delete;

 protected:
  OwnerCount() = default;
  virtual ~OwnerCount() = default;

 private:
  friend std::unique_ptr<const OwnerCount, Drop> OwnerOf(const OwnerCount&);

  // Yields how many there were.
  int64_t Add(int64_t more) const {
    if (!__libc_single_threaded) {
      return owners_.fetch_add(more, std::memory_order_acq_rel);
    }
    const int64_t before = owners_.load(std::memory_order_relaxed);
    owners_.store(before + more, std::memory_order_relaxed);
    return before;
  }
  void AddOwner() const { Add(1); }
  void DropOwner() const {
    if (Add(-1) == 1) delete this;
  }

  mutable std::atomic<int64_t> owners_{1};
};

// One of an object's owners, or none. May be dropped by any thread.
using Owner = std::unique_ptr<const OwnerCount, OwnerCount::Drop>;

// One more owner of `owned`, which has one as long as this takes.
inline Owner OwnerOf(const OwnerCount& owned) {
  owned.AddOwner();
  return Owner(&owned);
}

}  // namespace fsload

#endif  // FSLOAD_CORE_OWNER_COUNT_H_
