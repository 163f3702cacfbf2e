// The number of processors.
#ifndef FSLOAD_CORE_THREADS_PROCESSORS_H_
#define FSLOAD_CORE_THREADS_PROCESSORS_H_

#include <cstddef>

namespace fsload {

// Returns how many the calling thread and the threads it starts may run on: 1
// or more. Thread-safe.
size_t Processors();

}  // namespace fsload

#endif  // FSLOAD_CORE_THREADS_PROCESSORS_H_
