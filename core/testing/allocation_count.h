// Counts allocations. Replaces operator new in the tests that depend on it.
#pragma once

#include <cstddef>

namespace fsload {

// Returns how often the calling thread has called operator new, in any form.
size_t AllocationsOfThisThread();

// Makes the calling thread's allocations fail after `count` more, until it is
// called again; SIZE_MAX: none fails.
void AllowAllocations(size_t count);

}  // namespace fsload
