// URIs as TensorFlow reads them: "scheme://host/path", or just a path.
#ifndef FSLOAD_CORE_PATHS_URI_H_
#define FSLOAD_CORE_PATHS_URI_H_

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"

namespace fsload {

// Views into the parsed string, valid as long as it is.
struct Uri {
  std::string_view scheme;  // "" for just a path
  std::string_view host;    // between "://" and the next '/'
  std::string_view path;    // the rest, including its '/'
};

// Returns the length of the scheme that `text` begins with: a letter followed
// by one or more letters, digits or dots; 0 if there is none. Thread-safe.
size_t SchemeLength(std::string_view text);

// Does what SchemeBytesOf does, out of line and byte by byte. Thread-safe.
size_t SchemeBytesOfSlow(std::string_view uri);

// Returns how many bytes of `uri` are its scheme, as ParseUri finds it.
// Thread-safe. Every call by URI begins with this, so it is inline and has no
// loop. (It calls no method of `uri` that may not be inlined: that would force
// `uri` into memory, and each use would wait for it.)
ABSL_ATTRIBUTE_ALWAYS_INLINE inline size_t SchemeBytesOf(std::string_view uri) {
#ifdef __SSE2__
  constexpr size_t kBlock = sizeof(__m128i);
  constexpr int kQuick = kBlock - sizeof(uint32_t);  // "://" is in the block
  if (ABSL_PREDICT_TRUE(uri.size() >= kBlock)) {
    const __m128i bytes =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(uri.data()));
    // Whether a byte is at most `range` above `low`, compared as unsigned.
    const auto between = [](__m128i block, char low, char range) {
      const __m128i above = _mm_sub_epi8(block, _mm_set1_epi8(low));
      return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8(range)), above);
    };
    const __m128i letters =
        between(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z' - 'a');
    const __m128i others =
        _mm_or_si128(between(bytes, '0', '9' - '0'),
                     _mm_cmpeq_epi8(bytes, _mm_set1_epi8('.')));
    const int length =
        __builtin_ctz(~_mm_movemask_epi8(_mm_or_si128(letters, others)));
    if (ABSL_PREDICT_TRUE(length <= kQuick)) {
      uint32_t behind;
      std::memcpy(&behind, uri.data() + length, sizeof(behind));
      constexpr uint32_t kEnd = ':' | '/' << 8 | '/' << 16;
      const bool has_scheme = (behind & 0xffffff) == kEnd && length > 1 &&
                              (_mm_movemask_epi8(letters) & 1) != 0;
      return ABSL_PREDICT_TRUE(has_scheme) ? size_t(length) : 0;
    }
  }
#endif
  return SchemeBytesOfSlow(uri);
}

// Returns the scheme of `uri`, as a view into it. Thread-safe.
inline std::string_view SchemeOf(std::string_view uri) {
  return {uri.data(), SchemeBytesOf(uri)};
}

// Returns whether `scheme` can precede "://" so that ParseUri finds it, or is
// "", the scheme of local paths (L1020-L1022).
inline bool IsScheme(std::string_view scheme) {
  return scheme.empty() || SchemeLength(scheme) == scheme.size();
}

// Splits `uri` into its parts. Without a scheme before a "://" it is all path.
// Never fails. Thread-safe.
Uri ParseUri(std::string_view uri);

// Returns whether two URIs have the same scheme and the same host. Thread-safe.
bool IsSameStore(std::string_view a, std::string_view b);

// Returns whether two URIs may name one file: their hosts differ in case at
// most, and their paths are equal once cleaned. In a store of objects they may
// name two. Thread-safe.
bool MayBeOneFile(std::string_view a, std::string_view b);

}  // namespace fsload

#endif  // FSLOAD_CORE_PATHS_URI_H_
