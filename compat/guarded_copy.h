// Reads memory at untrusted addresses.
#pragma once

#include <cstddef>

namespace fsload {

// Copies up to `bytes` bytes from `source`, which may be any address, to
// `destination`, and returns how many it could read before the first unreadable
// page. Never faults. Thread-safe. About 0.4 microseconds.
size_t GuardedCopy(const void* source, size_t bytes, void* destination);

}  // namespace fsload
