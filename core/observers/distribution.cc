#include "fsload/distribution.h"

#include <algorithm>
#include <cmath>

#include "core/observers/log_buckets.h"

namespace fsload {

void Distribution::Add(uint64_t value, uint64_t times) {
  if (times == 0) return;
  const size_t bucket = BucketOf(value);
  if (buckets_.size() <= bucket) buckets_.resize(bucket + 1);
  buckets_[bucket] += times;
  count_ += times;
  sum_ += value * times;
  largest_ = std::max(largest_, value);
}

void Distribution::Merge(const Distribution& other) {
  buckets_.resize(std::max(buckets_.size(), other.buckets_.size()));
  for (size_t i = 0; i < other.buckets_.size(); ++i) {
    buckets_[i] += other.buckets_[i];
  }
  count_ += other.count_;
  sum_ += other.sum_;
  largest_ = std::max(largest_, other.largest_);
}

uint64_t Distribution::Percentile(double percent) const {
  const double share = std::clamp(percent, 0.0, 100.0) / 100;
  const auto wanted = static_cast<uint64_t>(
      std::max(1.0, std::ceil(share * static_cast<double>(count_))));
  uint64_t seen = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    // The last bucket has no end.
    if (seen >= wanted && i + 1 < kBuckets) return std::min(EndOf(i), largest_);
  }
  return largest_;
}

uint64_t Distribution::CountUpTo(uint64_t value) const {
  if (value >= largest_) return count_;
  uint64_t seen = 0;
  for (size_t i = 0; i < buckets_.size() && EndOf(i) <= value; ++i) {
    seen += buckets_[i];
  }
  return seen;
}

}  // namespace fsload
