// Runs independent calls in parallel.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

#include "absl/status/status.h"

namespace fsload {

// Approximate time to start the threads.
inline constexpr std::chrono::microseconds kThreadStartDelay{100};

// Enough concurrent requests to hide a store's latency, few enough for its
// limits.
inline constexpr size_t kMaxThreads = 8;

// Calls `work`, which may throw only std::bad_alloc, with each number below
// `count`, from at most `max_threads` threads including the caller's. The
// others start only if the first calls take longer than `start_delay`, and,
// while the caller's calls wait for nothing, only as many as there are
// processors. A delay of 0 starts all at once. Numbers are taken in order. Once
// a call has failed, no higher number is called; lower ones, already taken,
// still are. All calls have ended on return: the error is that of the lowest
// number that failed, the one that sequential calls would have met. A call that
// ends its thread (pthread_exit) has failed; one that throws has too, and this
// function throws the same. If no thread can be started, the caller's does
// everything. Thread-safe.
absl::Status ParallelFor(
    size_t count, const std::function<absl::Status(size_t)>& work,
    std::chrono::microseconds start_delay = kThreadStartDelay,
    size_t max_threads = kMaxThreads);

}  // namespace fsload
