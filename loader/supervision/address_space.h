// How much address space this process has used.
#ifndef FSLOAD_LOADER_SUPERVISION_ADDRESS_SPACE_H_
#define FSLOAD_LOADER_SUPERVISION_ADDRESS_SPACE_H_

#include <cstdint>

namespace fsload {

// Returns the peak size of the process's address space; 0 if the system does
// not report it. Allocates nothing: signal handlers call it.
uint64_t PeakAddressSpaceBytes();

}  // namespace fsload

#endif  // FSLOAD_LOADER_SUPERVISION_ADDRESS_SPACE_H_
