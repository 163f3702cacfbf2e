// Independent calls, several at a time.
#ifndef FSLOAD_CORE_PARALLEL_FOR_H_
#define FSLOAD_CORE_PARALLEL_FOR_H_

#include <cstddef>
#include <functional>

#include "absl/status/status.h"

namespace fsload {

// Calls `work` with each number below `count`, which may be in any of several
// threads: a bounded number, started only when the first calls took longer than
// starting them would. Calls begin in the order of their numbers, none after
// one has failed, and all have ended when this returns: the error of the lowest
// number that failed, which is the one that calls in turn would have met. A
// call that ends its thread (pthread_exit) has failed. Where no thread can be
// had, the caller's does all.
absl::Status ParallelFor(size_t count,
                         const std::function<absl::Status(size_t)>& work);

}  // namespace fsload

#endif  // FSLOAD_CORE_PARALLEL_FOR_H_
