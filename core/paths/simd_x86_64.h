// The part of core/paths/simd.h that is x86-64's: SSE2, and AVX2 where the
// processor has it.
#pragma once

#ifdef __x86_64__
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#define FSLOAD_HAS_SIMD
#define FSLOAD_HAS_WIDE_SIMD

namespace fsload::simd {

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

// Paths of at least this many bytes are copied by CopyWideBlocks, if the
// processor can do that.
inline constexpr size_t kMinWideBytes = 64;
inline bool HasWideBlocks() { return __builtin_cpu_supports("avx2") != 0; }

// Does what CopyBlocks in path.cc does, with blocks of 32 bytes.
__attribute__((target("avx2"))) inline bool CopyWideBlocks(const char* in,
                                                           size_t n,
                                                           char* out) {
  constexpr size_t kWide = sizeof(__m256i);
  __m256i least = _mm256_set1_epi8(in[n - 1]);
  __m256i least_of_two = _mm256_set1_epi8('a');
  const auto copy = [&](size_t i) __attribute__((target("avx2"))) {
    const __m256i block =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i));
    const __m256i behind =
        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + i + 1));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), block);
    least = _mm256_min_epu8(least, block);
    least_of_two =
        _mm256_min_epu8(least_of_two, _mm256_max_epu8(block, behind));
  };
  for (size_t i = 0; i + kWide < n; i += kWide) copy(i);
  copy(n - kWide - 1);
  out[n - 1] = in[n - 1];
  const __m256i slash = _mm256_set1_epi8('/');
  const __m256i bad = _mm256_or_si256(
      _mm256_cmpeq_epi8(_mm256_min_epu8(least_of_two, slash), least_of_two),
      _mm256_cmpeq_epi8(least, _mm256_setzero_si256()));
  return _mm256_testz_si256(bad, bad) != 0;
}

}  // namespace fsload::simd

#endif  // __x86_64__
