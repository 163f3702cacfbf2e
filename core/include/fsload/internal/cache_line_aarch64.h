// The part of fsload/internal/cache_line.h that is aarch64's.
#ifndef FSLOAD_INTERNAL_CACHE_LINE_AARCH64_H_
#define FSLOAD_INTERNAL_CACHE_LINE_AARCH64_H_

#ifdef __aarch64__
#include <cstddef>

namespace fsload {

// Arm's own cores have 64, as most servers do; Apple's have 128, where less
// only costs time.
inline constexpr size_t kCacheLineBytes = 64;
inline constexpr size_t kCacheLinePairBytes = 128;

}  // namespace fsload
#endif  // __aarch64__

#endif  // FSLOAD_INTERNAL_CACHE_LINE_AARCH64_H_
