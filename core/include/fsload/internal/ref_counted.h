// The lifetime of a FileSystem: it counts its owners, and the last one deletes
// it.
#ifndef FSLOAD_INTERNAL_REF_COUNTED_H_
#define FSLOAD_INTERNAL_REF_COUNTED_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "fsload/export.h"

namespace FSLOAD_API fsload {

// Base class of objects owned by RefPtr. Adding or removing an owner is one
// atomic addition.
class RefCounted {
 public:
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

 protected:
  RefCounted() = default;
  virtual ~RefCounted() = default;

 private:
  template <typename T>
  friend class RefPtr;

  // Relaxed: who adds an owner has one. Who drops the last one sees what all
  // others did: their release, its acquire.
  void AddOwner() const { owners_.fetch_add(1, std::memory_order_relaxed); }
  void DropOwner() const {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  mutable std::atomic<int64_t> owners_{0};
};

// One owner of a T, which derives from RefCounted, or null. Used like a
// std::shared_ptr: a copy is another owner, and any thread may drop its own.
template <typename T>
class RefPtr final {
 public:
  RefPtr() = default;
  RefPtr(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)

  // Adds an owner of `owned`, which is new or has an owner during the call.
  explicit RefPtr(T* owned) : owned_(owned) {
    if (owned_ != nullptr) owned_->AddOwner();
  }

  RefPtr(const RefPtr& other) : RefPtr(other.owned_) {}
  RefPtr(RefPtr&& other) noexcept
      : owned_(std::exchange(other.owned_, nullptr)) {}
  RefPtr& operator=(RefPtr other) noexcept {
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~RefPtr() {
    if (owned_ != nullptr) owned_->DropOwner();
  }

  void reset() { *this = nullptr; }

  T* get() const { return owned_; }
  T& operator*() const { return *owned_; }
  T* operator->() const { return owned_; }
  explicit operator bool() const { return owned_ != nullptr; }

  friend bool operator==(const RefPtr& a, const RefPtr& b) {
    return a.owned_ == b.owned_;
  }
  friend bool operator!=(const RefPtr& a, const RefPtr& b) { return !(a == b); }

 private:
  T* owned_ = nullptr;
};

}  // namespace fsload

#endif  // FSLOAD_INTERNAL_REF_COUNTED_H_
