// How much address space this process has used.
#pragma once

#include <cstdint>

namespace fsload {

// Returns the peak size of the process's address space; 0 if the system does
// not report it. Allocates nothing: signal handlers call it.
uint64_t PeakAddressSpaceBytes();

}  // namespace fsload
