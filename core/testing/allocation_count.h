// Counts allocations. Replaces operator new in the tests that depend on it.
#pragma once

#include <cstddef>

namespace fsload {

// Returns how often the calling thread has called operator new, in any form.
size_t AllocationsOfThisThread();

}  // namespace fsload
