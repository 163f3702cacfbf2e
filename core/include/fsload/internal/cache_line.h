// The distances that keep data of different threads apart, for each processor:
// kCacheLineBytes, which caches exchange at once, and kCacheLinePairBytes,
// which one access may fetch. A new processor has a cache_line_NAME.h, included
// below. Internal: may change at any time.
#ifndef FSLOAD_INTERNAL_CACHE_LINE_H_
#define FSLOAD_INTERNAL_CACHE_LINE_H_

// All but that of this processor are empty.
#include "fsload/internal/cache_line_aarch64.h"
#include "fsload/internal/cache_line_x86_64.h"

#endif  // FSLOAD_INTERNAL_CACHE_LINE_H_
