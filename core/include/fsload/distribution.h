// A histogram of values, for percentiles of durations and sizes.
#ifndef FSLOAD_DISTRIBUTION_H_
#define FSLOAD_DISTRIBUTION_H_

#include <cstdint>
#include <vector>

#include "fsload/export.h"

namespace FSLOAD_API fsload {

// A value type. Values are counted in buckets whose width grows with them: each
// is an eighth of a power of two wide, so a percentile is too high by less than
// 12.5%. Values from 1 to 16 are exact, and 0 counts as 1. Values above 2^47
// (39 hours in nanoseconds) count in the last bucket. One thread at a time.
class Distribution final {
 public:
  // Counts `value` `times` times.
  void Add(uint64_t value, uint64_t times = 1);

  // Adds what `other` has counted.
  void Merge(const Distribution& other);

  uint64_t count() const { return count_; }
  uint64_t sum() const { return sum_; }          // of all values, modulo 2^64
  uint64_t largest() const { return largest_; }  // exact; 0 without values

  // Returns the value that `percent` of all values, 0 to 100, do not exceed,
  // rounded up to the end of its bucket but never above the largest; 0 without
  // values.
  uint64_t Percentile(double percent) const;

  // Returns how many values are at most `value`. Exact if `value` is a power of
  // two below 2^47.
  uint64_t CountUpTo(uint64_t value) const;

 private:
  friend class CallHistogram;

  std::vector<uint64_t> buckets_;  // up to the last that is not 0
  uint64_t count_ = 0;
  uint64_t sum_ = 0;
  uint64_t largest_ = 0;
};

}  // namespace fsload

#endif  // FSLOAD_DISTRIBUTION_H_
