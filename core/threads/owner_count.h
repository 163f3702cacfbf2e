// Owners of an object that are cheap to make and to drop: one atomic addition
// each.
#ifndef FSLOAD_CORE_THREADS_OWNER_COUNT_H_
#define FSLOAD_CORE_THREADS_OWNER_COUNT_H_

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

  void AddOwner() const { owners_.fetch_add(1, std::memory_order_relaxed); }
  void DropOwner() const {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
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

#endif  // FSLOAD_CORE_THREADS_OWNER_COUNT_H_
