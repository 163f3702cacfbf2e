// Tells a process from those that it forks.
#ifndef FSLOAD_LOADER_ISOLATION_FORK_GENERATION_H_
#define FSLOAD_LOADER_ISOLATION_FORK_GENERATION_H_

#include <cstdint>

namespace fsload {

// Returns a number that is larger in a forked child, from the first call on.
// Thread-safe.
uint64_t ForkGeneration();

}  // namespace fsload

#endif  // FSLOAD_LOADER_ISOLATION_FORK_GENERATION_H_
