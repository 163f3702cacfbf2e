// Operations on 16 bytes at once, by the processor's own instructions. A new
// processor is one more part with the same functions; without one,
// FSLOAD_HAS_SIMD is not defined.
#ifndef FSLOAD_CORE_PATHS_SIMD_H_
#define FSLOAD_CORE_PATHS_SIMD_H_

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace fsload::simd {

#if defined(__SSE2__)
#define FSLOAD_HAS_SIMD
using Block = __m128i;
using Mask = uint32_t;

inline Block Load(const char* bytes) {
  return _mm_loadu_si128(reinterpret_cast<const Block*>(bytes));
}

inline void Store(Block block, char* bytes) {
  _mm_storeu_si128(reinterpret_cast<Block*>(bytes), block);
}

inline Block Make(uint64_t low, uint64_t high) {
  return _mm_set_epi64x(static_cast<int64_t>(high), static_cast<int64_t>(low));
}

inline Block Repeat(char byte) { return _mm_set1_epi8(byte); }
inline Block Subtract(Block a, Block b) { return _mm_sub_epi8(a, b); }
inline Block Min(Block a, Block b) { return _mm_min_epu8(a, b); }
inline Block Max(Block a, Block b) { return _mm_max_epu8(a, b); }

// Sets all bits of each byte in which `a` and `b` are equal.
inline Block Equal(Block a, Block b) { return _mm_cmpeq_epi8(a, b); }

// Returns `block` without its first byte, and with a null byte at the end.
inline Block WithoutFirst(Block block) { return _mm_srli_si128(block, 1); }

// Returns one bit for each byte whose bits are all set, where each byte has all
// or none.
constexpr int kBitsPerByte = 1;
inline Mask MaskOf(Block block) { return _mm_movemask_epi8(block); }

// Returns how many of the first bytes are in `mask`.
inline size_t CountLeading(Mask mask) { return __builtin_ctz(~mask); }

#elif defined(__ARM_NEON)
#define FSLOAD_HAS_SIMD
using Block = uint8x16_t;
using Mask = uint64_t;

inline Block Load(const char* bytes) {
  return vld1q_u8(reinterpret_cast<const uint8_t*>(bytes));
}

inline void Store(Block block, char* bytes) {
  vst1q_u8(reinterpret_cast<uint8_t*>(bytes), block);
}

inline Block Make(uint64_t low, uint64_t high) {
  return vreinterpretq_u8_u64(
      vcombine_u64(vcreate_u64(low), vcreate_u64(high)));
}

inline Block Repeat(char byte) { return vdupq_n_u8(byte); }
inline Block Subtract(Block a, Block b) { return vsubq_u8(a, b); }
inline Block Min(Block a, Block b) { return vminq_u8(a, b); }
inline Block Max(Block a, Block b) { return vmaxq_u8(a, b); }
inline Block Equal(Block a, Block b) { return vceqq_u8(a, b); }
inline Block WithoutFirst(Block block) {
  return vextq_u8(block, vdupq_n_u8(0), 1);
}

// Narrows each pair of bytes to the four bits in its middle.
constexpr int kBitsPerByte = 4;
inline Mask MaskOf(Block block) {
  return vget_lane_u64(
      vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(block), 4)), 0);
}

inline size_t CountLeading(Mask mask) {
  if (~mask == 0) return sizeof(Block);
  return __builtin_ctzll(~mask) / kBitsPerByte;
}
#endif

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

#endif  // FSLOAD_CORE_PATHS_SIMD_H_
