#include "fsload/call_histogram.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "core/observers/log_buckets.h"
#include "core/tables/code_name.h"
#include "core/tables/operations.h"

namespace fsload {
namespace {

constexpr size_t kCodes = TF_UNAUTHENTICATED + 1;

// The operations whose bytes are counted.
constexpr Op kMovers[] = {Op::kRandomAccessFile_read, Op::kWritableFile_append};

// Numbers threads as they make their first call, so that those that run at once
// use different shards.
size_t ThreadNumber() {
  static std::atomic<size_t> threads{0};
  thread_local const size_t number =
      threads.fetch_add(1, std::memory_order_relaxed);  // any order will do
  return number;
}

using Row = CallStatistics::Row;

bool IsBefore(const Row& a, const Row& b) {
  return std::tie(a.op, a.code) < std::tie(b.op, b.code);
}

}  // namespace

// The same as Distribution, for many threads. All zero at first, which is what
// fresh memory is. Relaxed throughout: each number is a sum of its own, and a
// snapshot may miss calls that are not over.
struct CallHistogram::Counters {
  std::atomic<uint64_t> sum;
  std::atomic<uint64_t> largest;
  std::atomic<uint64_t> buckets[kBuckets];

  void Add(uint64_t value) {
    buckets[BucketOf(value)].fetch_add(1, std::memory_order_relaxed);
    sum.fetch_add(value, std::memory_order_relaxed);
    uint64_t known = largest.load(std::memory_order_relaxed);
    while (known < value && !largest.compare_exchange_weak(
                                known, value, std::memory_order_relaxed)) {
    }
  }
};

struct CallHistogram::Shard {
  // Where there is something to read: reading the rest would have the kernel
  // provide it.
  std::atomic<bool> used[kOps][kCodes];
  Counters nanoseconds[kOps][kCodes];
  Counters bytes[std::size(kMovers)][kCodes];
};

CallHistogram::CallHistogram(size_t shards)
    : shards_(std::max<size_t>(shards, 1)),
      memory_(static_cast<Shard*>(std::calloc(shards_, sizeof(Shard)))) {
  static_assert(std::is_trivially_destructible_v<Shard>);
  if (memory_ == nullptr) throw std::bad_alloc();
}

CallHistogram::~CallHistogram() { std::free(memory_); }

void CallHistogram::OnCall(const OpCall& call) {
  Shard& shard = memory_[ThreadNumber() % shards_];
  const auto code = static_cast<size_t>(KnownCode(call.code));
  const auto op = static_cast<size_t>(call.op);
  const int64_t nanoseconds = call.duration.count();
  shard.nanoseconds[op][code].Add(
      static_cast<uint64_t>(std::max<int64_t>(nanoseconds, 0)));
  std::atomic<bool>& used = shard.used[op][code];
  if (!used.load(std::memory_order_relaxed)) {
    used.store(true, std::memory_order_relaxed);
  }
  if (call.bytes < 0) return;
  if (call.code != TF_OK && call.code != TF_OUT_OF_RANGE) return;
  for (size_t i = 0; i < std::size(kMovers); ++i) {
    if (kMovers[i] != call.op) continue;
    shard.bytes[i][code].Add(static_cast<uint64_t>(call.bytes));
  }
}

void CallHistogram::AddTo(Distribution& total, const Counters& counters) {
  Distribution found;
  for (size_t i = 0; i < kBuckets; ++i) {
    const uint64_t count = counters.buckets[i].load(std::memory_order_relaxed);
    if (count > 0) found.Add(EndOf(i), count);
  }
  if (found.count() == 0) return;
  found.sum_ = counters.sum.load(std::memory_order_relaxed);
  found.largest_ = counters.largest.load(std::memory_order_relaxed);
  total.Merge(found);
}

CallStatistics CallHistogram::Snapshot() const {
  CallStatistics statistics;
  for (const Operation& operation : kOperations) {
    for (size_t code = 0; code < kCodes; ++code) {
      Row row = {operation.op, static_cast<TF_Code>(code), {}, {}};
      for (size_t i = 0; i < shards_; ++i) {
        const Shard& shard = memory_[i];
        const auto op = static_cast<size_t>(operation.op);
        if (!shard.used[op][code].load(std::memory_order_relaxed)) continue;
        AddTo(row.nanoseconds, shard.nanoseconds[op][code]);
        for (size_t mover = 0; mover < std::size(kMovers); ++mover) {
          if (kMovers[mover] != operation.op) continue;
          AddTo(row.bytes, shard.bytes[mover][code]);
        }
      }
      if (row.nanoseconds.count() == 0) continue;
      statistics.rows.push_back(std::move(row));
    }
  }
  return statistics;
}

void CallStatistics::Merge(const CallStatistics& other) {
  for (const Row& row : other.rows) {
    const auto at = std::lower_bound(rows.begin(), rows.end(), row, &IsBefore);
    if (at == rows.end() || IsBefore(row, *at)) {
      rows.insert(at, row);
      continue;
    }
    at->nanoseconds.Merge(row.nanoseconds);
    at->bytes.Merge(row.bytes);
  }
}

Distribution CallStatistics::NanosecondsOf(Op op) const {
  Distribution all;
  for (const Row& row : rows) {
    if (row.op == op) all.Merge(row.nanoseconds);
  }
  return all;
}

Distribution CallStatistics::BytesOf(Op op) const {
  Distribution all;
  for (const Row& row : rows) {
    if (row.op == op) all.Merge(row.bytes);
  }
  return all;
}

}  // namespace fsload
