// Counts allocations. Replaces operator new in the tests that depend on it.
#ifndef FSLOAD_CORE_TESTING_ALLOCATION_COUNT_H_
#define FSLOAD_CORE_TESTING_ALLOCATION_COUNT_H_

#include <cstddef>

namespace fsload {

// Returns how often the calling thread has called operator new, in any form.
size_t AllocationsOfThisThread();

}  // namespace fsload

#endif  // FSLOAD_CORE_TESTING_ALLOCATION_COUNT_H_
