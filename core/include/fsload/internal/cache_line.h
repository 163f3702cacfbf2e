// What keeps data of different threads apart. Internal: may change at any time.
#ifndef FSLOAD_INTERNAL_CACHE_LINE_H_
#define FSLOAD_INTERNAL_CACHE_LINE_H_

#include <cstddef>

namespace fsload {

// Bytes that a processor's caches take from each other at once: 64 on most, 128
// on some for arm64, where this only costs time.
inline constexpr size_t kCacheLineBytes = 64;

// As many as are taken in advance by x86-64, and the longest lines of arm64.
inline constexpr size_t kCacheLinePairBytes = 128;

}  // namespace fsload

#endif  // FSLOAD_INTERNAL_CACHE_LINE_H_
