// Counts the calls of plugins' operations, with their durations and bytes.
#ifndef FSLOAD_CALL_HISTOGRAM_H_
#define FSLOAD_CALL_HISTOGRAM_H_

#include <cstddef>
#include <vector>

#include "fsload/distribution.h"
#include "fsload/export.h"
#include "fsload/op.h"
#include "fsload/op_observer.h"
#include "fsload/tf_status.h"

namespace FSLOAD_API fsload {

// The counts at one moment. A value type.
struct CallStatistics {
  // The calls of one operation that ended with one code.
  struct Row {
    Op op;
    TF_Code code;              // undefined ones count as TF_UNKNOWN
    Distribution nanoseconds;  // of each call; its count is that of the calls

    // Of each read and append that ended with TF_OK or TF_OUT_OF_RANGE; empty
    // for other operations.
    Distribution bytes;
  };

  std::vector<Row> rows;  // ordered by operation, then code; none is empty

  // Adds the calls of `other`, such as those of another process.
  void Merge(const CallStatistics& other);

  // Returns the distribution over all calls of `op`, whatever their codes.
  Distribution NanosecondsOf(Op op) const;
  Distribution BytesOf(Op op) const;
};

// Set it in LoadOptions::observer: it counts the calls of all plugins loaded
// with it. OnCall takes no lock and allocates nothing. All memory is taken
// from the beginning: 2.2 MB of address space for each shard, of which the
// kernel provides about 4 KiB for each pair of operation and code that
// occurs. Thread-safe.
class CallHistogram final : public OpObserver {
 public:
  // Lets threads share `shards` sets of counters (0 counts as 1): with more of
  // these, threads slow each other down less. Throws std::bad_alloc.
  explicit CallHistogram(size_t shards = 4);
  ~CallHistogram() override;
  CallHistogram(const CallHistogram&) = delete;
  CallHistogram& operator=(const CallHistogram&) = delete;

  void OnCall(const OpCall& call) override;

  // Returns what was counted so far. Calls that end meanwhile may be counted in
  // part: their bucket but not their sum.
  CallStatistics Snapshot() const;

 private:
  struct Counters;
  struct Shard;

  static void AddTo(Distribution& total, const Counters& counters);

  const size_t shards_;
  Shard* const memory_;  // `shards_` of them
};

}  // namespace fsload

#endif  // FSLOAD_CALL_HISTOGRAM_H_
