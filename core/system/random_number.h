// Numbers for names that nobody else has.
#ifndef FSLOAD_CORE_SYSTEM_RANDOM_NUMBER_H_
#define FSLOAD_CORE_SYSTEM_RANDOM_NUMBER_H_

#include <cstdint>

namespace fsload {

// One that nobody can foretell; where the kernel gives no random bytes, one
// that another process or an earlier call is unlikely to have. Never fails.
// Thread-safe. (std::random_device may throw.)
uint64_t RandomNumber();

}  // namespace fsload

#endif  // FSLOAD_CORE_SYSTEM_RANDOM_NUMBER_H_
