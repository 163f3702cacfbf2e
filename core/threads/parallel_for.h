// Independent calls, several at a time.
#ifndef FSLOAD_CORE_THREADS_PARALLEL_FOR_H_
#define FSLOAD_CORE_THREADS_PARALLEL_FOR_H_

#include <chrono>
#include <cstddef>
#include <functional>

#include "absl/status/status.h"

namespace fsload {

// About what it takes to start the threads.
inline constexpr std::chrono::microseconds kPatience{100};

// Enough requests at once to hide a store's latency, few enough for its limits.
inline constexpr size_t kMostThreads = 8;

// Calls `work`, which throws nothing, with each number below `count`, in any of
// several threads: `most_threads` at most, the caller's included, of which the
// others start only when the first calls took longer than `patience`, and no
// more than there are processors as long as the caller's calls wait for
// nothing. A patience of 0 starts all at once. Numbers are taken in their
// order. Once a call has failed, no higher number is called; lower ones, which
// have been taken, still are. All have ended when this returns: the error of
// the lowest number that failed, which is the one that calls in turn would have
// met. A call that ends its thread (pthread_exit) has failed. Where no thread
// can be had, the caller's does all. May be called by any number of threads at
// once.
absl::Status ParallelFor(size_t count,
                         const std::function<absl::Status(size_t)>& work,
                         std::chrono::microseconds patience = kPatience,
                         size_t most_threads = kMostThreads);

}  // namespace fsload

#endif  // FSLOAD_CORE_THREADS_PARALLEL_FOR_H_
