// The lifetime of a FileSystem: it counts its owners, and the last one deletes
// it.
#ifndef FSLOAD_INTERNAL_OWNER_COUNT_H_
#define FSLOAD_INTERNAL_OWNER_COUNT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "fsload/export.h"

namespace FSLOAD_API fsload {

// Base class of objects owned by OwnerPtr. Adding or removing an owner is one
// atomic addition.
class OwnerCount {
 public:
  OwnerCount(const OwnerCount&) = delete;
  OwnerCount& operator=(const OwnerCount&) = delete;

 protected:
  OwnerCount() = default;
  virtual ~OwnerCount() = default;

 private:
  template <typename T>
  friend class OwnerPtr;

  void AddOwner() const { owners_.fetch_add(1, std::memory_order_relaxed); }
  void DropOwner() const {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  mutable std::atomic<int64_t> owners_{0};
};

// One owner of a T, which derives from OwnerCount, or null. Used like a
// std::shared_ptr: a copy is another owner, and any thread may drop its own.
template <typename T>
class OwnerPtr final {
 public:
  OwnerPtr() = default;
  OwnerPtr(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)

  // Adds an owner of `owned`, which is new or has an owner during the call.
  explicit OwnerPtr(T* owned) : owned_(owned) {
    if (owned_ != nullptr) owned_->AddOwner();
  }

  OwnerPtr(const OwnerPtr& other) : OwnerPtr(other.owned_) {}
  OwnerPtr(OwnerPtr&& other) noexcept
      : owned_(std::exchange(other.owned_, nullptr)) {}
  OwnerPtr& operator=(OwnerPtr other) noexcept {
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~OwnerPtr() {
    if (owned_ != nullptr) owned_->DropOwner();
  }

  void reset() { *this = nullptr; }

  T* get() const { return owned_; }
  T& operator*() const { return *owned_; }
  T* operator->() const { return owned_; }
  explicit operator bool() const { return owned_ != nullptr; }

  friend bool operator==(const OwnerPtr& a, const OwnerPtr& b) {
    return a.owned_ == b.owned_;
  }
  friend bool operator!=(const OwnerPtr& a, const OwnerPtr& b) {
    return !(a == b);
  }

 private:
  T* owned_ = nullptr;
};

}  // namespace fsload

#endif  // FSLOAD_INTERNAL_OWNER_COUNT_H_
