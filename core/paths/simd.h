// Operations on 16 bytes at once, by the processor's own instructions. A new
// processor is one more simd_NAME.h with the same functions; without one,
// FSLOAD_HAS_SIMD is not defined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

// All but that of this processor are empty.
#include "core/paths/simd_aarch64.h"
#include "core/paths/simd_x86_64.h"

namespace fsload::simd {

#ifdef FSLOAD_HAS_SIMD
inline constexpr size_t kBytes = sizeof(Block);

// Returns the number of the first byte in `mask`, which is not 0.
inline size_t FirstSet(Mask mask) {
  return __builtin_ctzll(mask) / kBitsPerByte;
}

// Tells whether one of the first `n` bytes, at least one, is in `mask`.
inline bool IsAmongFirst(size_t n, Mask mask) {
  return (mask << (8 * sizeof(mask) - kBitsPerByte * n)) != 0;
}

// Loads `n` bytes, fewer than a block has; the rest is zero.
inline Block LoadShort(const char* bytes, size_t n) {
  const auto load = [](const char* from, auto word) -> uint64_t {
    std::memcpy(&word, from, sizeof(word));
    return word;
  };
  uint64_t low = 0;
  uint64_t high = 0;
  if (n >= 8) {
    low = load(bytes, uint64_t{});
    // The last eight bytes, without those already in `low`: 0 to 7 stay.
    high = load(bytes + n - 8, uint64_t{}) >> 1 >> (8 * (16 - n) - 1);
  } else if (n >= 4) {
    low = load(bytes, uint32_t{}) | load(bytes + n - 4, uint32_t{})
                                        << (8 * (n - 4));
  } else {
    for (size_t i = 0; i < n; ++i) {
      low |= load(bytes + i, uint8_t{}) << (8 * i);
    }
  }
  return Make(low, high);
}
#endif

}  // namespace fsload::simd
