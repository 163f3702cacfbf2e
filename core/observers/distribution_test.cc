#include "fsload/distribution.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "core/observers/log_buckets.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

TEST(LogBucketsTest, PutEachValueIntoTheFirstBucketThatDoesNotEndBelowIt) {
  for (size_t bucket = 0; bucket + 1 < kBuckets; ++bucket) {
    EXPECT_LT(EndOf(bucket), EndOf(bucket + 1));
    EXPECT_EQ(BucketOf(EndOf(bucket)), bucket);
    EXPECT_EQ(BucketOf(EndOf(bucket) + 1), bucket + 1);
  }
  EXPECT_EQ(BucketOf(0), 0);
  EXPECT_EQ(BucketOf(UINT64_MAX), kBuckets - 1);
}

TEST(LogBucketsTest, EndBucketsAtPowersOfTwo) {
  for (int bits = 0; bits <= kMaxValueBits; ++bits) {
    const uint64_t power = uint64_t{1} << bits;
    EXPECT_EQ(EndOf(BucketOf(power)), power);
  }
}

TEST(DistributionTest, GivesPercentilesThatAreLessThanAnEighthTooHigh) {
  std::mt19937_64 random(17);
  std::vector<uint64_t> values;
  Distribution found;
  for (int i = 0; i < 10'000; ++i) {
    values.push_back(random() >> (20 + random() % 40));
    found.Add(values.back());
  }
  std::sort(values.begin(), values.end());
  for (const int percent : {1, 10, 50, 90, 99, 100}) {
    const uint64_t exact = values[values.size() * percent / 100 - 1];
    const uint64_t told = found.Percentile(percent);
    EXPECT_GE(told, exact) << percent;
    EXPECT_LE(static_cast<double>(told), 1.125 * static_cast<double>(exact) + 1)
        << percent;
  }
  EXPECT_EQ(found.Percentile(100), values.back());
  EXPECT_EQ(found.largest(), values.back());
}

TEST(DistributionTest, HasNoPercentilesWithoutValues) {
  EXPECT_EQ(Distribution().Percentile(50), 0);
  EXPECT_EQ(Distribution().count(), 0);
}

TEST(DistributionTest, GivesTheLargestValueBeyondTheLastBucket) {
  Distribution found;
  found.Add(uint64_t{1} << 60);
  found.Add(1);
  EXPECT_EQ(found.Percentile(50), 1);
  EXPECT_EQ(found.Percentile(51), uint64_t{1} << 60);
}

TEST(DistributionTest, TakesPercentsBeyondTheEndsAsTheEnds) {
  Distribution found;
  found.Add(3);
  found.Add(5);
  EXPECT_EQ(found.Percentile(-1), 3);
  EXPECT_EQ(found.Percentile(200), 5);
}

TEST(DistributionTest, MergesAsIfAllWereCountedInOne) {
  Distribution a;
  Distribution b;
  Distribution all;
  for (uint64_t value = 1; value < 3000; value += 7) {
    (value % 2 == 0 ? a : b).Add(value);
    all.Add(value);
  }
  b.Add(1 << 20, 3);
  all.Add(1 << 20, 3);
  a.Merge(b);
  EXPECT_EQ(a.count(), all.count());
  EXPECT_EQ(a.sum(), all.sum());
  EXPECT_EQ(a.largest(), all.largest());
  for (int percent = 0; percent <= 100; ++percent) {
    EXPECT_EQ(a.Percentile(percent), all.Percentile(percent));
  }
}

TEST(DistributionTest, CountsExactlyUpToPowersOfTwo) {
  Distribution found;
  for (const uint64_t value : {1, 1024, 1025, 4096, 5000}) found.Add(value);
  EXPECT_EQ(found.CountUpTo(1024), 2);
  EXPECT_EQ(found.CountUpTo(4096), 4);
  EXPECT_EQ(found.CountUpTo(8192), 5);
}

}  // namespace
}  // namespace fsload
