// How far apart data of different threads must be, which is the processor's:
// kCacheLineBytes, bytes that caches take from each other at once, and
// kCacheLinePairBytes, as many as one thread's access may take along. A new
// processor is one more cache_line_NAME.h. Internal: may change at any time.
#ifndef FSLOAD_INTERNAL_CACHE_LINE_H_
#define FSLOAD_INTERNAL_CACHE_LINE_H_

// All but that of this processor are empty.
#include "fsload/internal/cache_line_aarch64.h"
#include "fsload/internal/cache_line_x86_64.h"

#endif  // FSLOAD_INTERNAL_CACHE_LINE_H_
