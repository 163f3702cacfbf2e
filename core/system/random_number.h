// Random numbers for unique names.
#pragma once

#include <cstdint>

namespace fsload {

// Returns an unpredictable number; if the kernel has no random bytes, one
// unlikely to occur in another process or an earlier call. Never fails.
// Thread-safe. (std::random_device may throw.)
uint64_t RandomNumber();

}  // namespace fsload
