// Tells a process from those that it forks.
#pragma once

#include <cstdint>

namespace fsload {

// Returns a number that is larger in a forked child, from the first call on.
// Thread-safe.
uint64_t ForkGeneration();

}  // namespace fsload
