// The part of core/paths/simd.h that is aarch64's: NEON.
#pragma once

#ifdef __aarch64__
#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#define FSLOAD_HAS_SIMD

namespace fsload::simd {

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

}  // namespace fsload::simd

#endif  // __aarch64__
