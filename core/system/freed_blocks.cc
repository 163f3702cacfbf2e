#include "core/system/freed_blocks.h"

#include <malloc.h>

namespace fsload {

void KeepFreedBlocks() {
  constexpr int kMax = 32 << 20;    // that glibc allows
  constexpr int kKept = 256 << 20;  // more than one download or upload takes
  mallopt(M_MMAP_THRESHOLD, kMax);
  mallopt(M_TRIM_THRESHOLD, kKept);
}

}  // namespace fsload
