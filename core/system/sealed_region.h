// Bytes that nothing in this process can change.
//
// A plugin's function pointers are copied here after they have been checked, so
// that a stray or hostile write cannot change a checked pointer (L144-L147). A
// region is immutable and thread-safe.
#pragma once

#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "fsload/sealing_tier.h"

namespace fsload {

class SealedRegion final {
 public:
  // Returns a region with a copy of `size` bytes at `bytes`, between two guard
  // pages. RESOURCE_EXHAUSTED if the kernel has no memory.
  static absl::StatusOr<std::shared_ptr<const SealedRegion>> Create(
      const void* bytes, size_t size);

  // Unmaps the pages. The kernel refuses that for a kSealedMapping, which stays
  // until the process ends.
  ~SealedRegion();

  SealedRegion(const SealedRegion&) = delete;
  SealedRegion& operator=(const SealedRegion&) = delete;

  // Returns the memory, page-aligned and valid as long as the region.
  const void* data() const { return data_; }
  SealingTier tier() const { return tier_; }

 private:
  SealedRegion(void* mapping, size_t mapping_bytes, const void* data,
               SealingTier tier)
      : mapping_(mapping),
        mapping_bytes_(mapping_bytes),
        data_(data),
        tier_(tier) {}

  void* const mapping_;  // including the guard pages
  const size_t mapping_bytes_;
  const void* const data_;
  const SealingTier tier_;
};

}  // namespace fsload
