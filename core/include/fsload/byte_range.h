// A part of a file.
#ifndef FSLOAD_BYTE_RANGE_H_
#define FSLOAD_BYTE_RANGE_H_

#include <cstdint>

#include "fsload/export.h"

namespace FSLOAD_API fsload {

// A value type: `length` bytes from `offset` on. A range may reach beyond the
// end of the file; what is read of it ends where the file does.
struct ByteRange {
  uint64_t offset = 0;
  uint64_t length = 0;

  // Returns the offset after its last byte, but at most the largest length that
  // a file can have: lengths are signed (L579).
  constexpr uint64_t end() const {
    constexpr uint64_t kFarthest = INT64_MAX;
    if (offset >= kFarthest || length >= kFarthest - offset) return kFarthest;
    return offset + length;
  }
};

// All of a file, whatever its length. INVALID_ARGUMENT for ReadRanges.
inline constexpr ByteRange kWholeFile = {0, UINT64_MAX};

}  // namespace fsload

#endif  // FSLOAD_BYTE_RANGE_H_
