// URIs as TensorFlow reads them: "scheme://host/path", or just a path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "core/paths/simd.h"

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
#ifdef FSLOAD_HAS_SIMD
  constexpr size_t kQuick = simd::kBytes - sizeof(uint32_t);  // has "://"
  if (ABSL_PREDICT_TRUE(uri.size() >= simd::kBytes)) {
    const simd::Block bytes = simd::Load(uri.data());
    // Whether a byte is at most `range` above `low`, compared as unsigned.
    const auto between = [](simd::Block block, char low, char range) {
      const simd::Block above = simd::Subtract(block, simd::Repeat(low));
      return simd::Equal(simd::Min(above, simd::Repeat(range)), above);
    };
    const simd::Block letters =
        between(bytes | simd::Repeat(0x20), 'a', 'z' - 'a');
    const simd::Block others =
        between(bytes, '0', '9' - '0') | simd::Equal(bytes, simd::Repeat('.'));
    const size_t length = simd::CountLeading(simd::MaskOf(letters | others));
    if (ABSL_PREDICT_TRUE(length <= kQuick)) {
      uint32_t behind;
      std::memcpy(&behind, uri.data() + length, sizeof(behind));
      constexpr uint32_t kEnd = ':' | '/' << 8 | '/' << 16;
      const bool has_scheme = (behind & 0xffffff) == kEnd && length > 1 &&
                              (simd::MaskOf(letters) & 1) != 0;
      return ABSL_PREDICT_TRUE(has_scheme) ? length : 0;
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
