// The number of processors.
#pragma once

#include <cstddef>

namespace fsload {

// Returns how many the calling thread and the threads it starts may run on: 1
// or more. Thread-safe.
size_t Processors();

}  // namespace fsload
