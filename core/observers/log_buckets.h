// The buckets in which distributions count: eight for each power of two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace fsload {

inline constexpr int kBucketBits = 3;  // log2 of the buckets for a power of two
inline constexpr int kMaxValueBits = 47;  // of values with their own bucket
inline constexpr size_t kBuckets = size_t{kMaxValueBits - kBucketBits + 1}
                                   << kBucketBits;

// Returns the bucket of `value`. Ends of buckets belong to them, so that powers
// of two are ends.
inline size_t BucketOf(uint64_t value) {
  const uint64_t below = value == 0 ? 0 : value - 1;
  if (below >> kBucketBits == 0) return below;
  const int exponent = 63 - __builtin_clzll(below);
  const int shift = exponent - kBucketBits;
  // The leading 1 of `below >> shift` counts as the first eight buckets.
  const size_t bucket =
      (static_cast<size_t>(shift) << kBucketBits) + (below >> shift);
  return std::min(bucket, kBuckets - 1);
}

// Returns the largest value of `bucket`, whatever is above all counted in the
// last.
constexpr uint64_t EndOf(size_t bucket) {
  constexpr size_t kEight = size_t{1} << kBucketBits;
  if (bucket < kEight) return bucket + 1;
  const size_t shift = bucket / kEight - 1;
  return (kEight + bucket % kEight + 1) << shift;
}

static_assert(EndOf(kBuckets - 1) == uint64_t{1} << kMaxValueBits);

}  // namespace fsload
