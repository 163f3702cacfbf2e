// The part of fsload/internal/cache_line.h that is x86-64's.
#ifndef FSLOAD_INTERNAL_CACHE_LINE_X86_64_H_
#define FSLOAD_INTERNAL_CACHE_LINE_X86_64_H_

#ifdef __x86_64__
#include <cstddef>

namespace fsload {

inline constexpr size_t kCacheLineBytes = 64;
inline constexpr size_t kCacheLinePairBytes = 128;  // fetched in pairs

}  // namespace fsload
#endif  // __x86_64__

#endif  // FSLOAD_INTERNAL_CACHE_LINE_X86_64_H_
