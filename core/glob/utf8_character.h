// UTF-8 characters in text that may be invalid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/base/optimization.h"

namespace fsload {

// A code point, or an invalid byte, numbered after all code points.
struct Utf8Character {
  static constexpr uint32_t kFirstByte = 0x110000;

  // Returns whether it is an invalid byte.
  bool is_byte() const { return value >= kFirstByte; }

  uint32_t value;
  size_t bytes;  // its length, 1 to 4
};

// Returns the character that begins with a byte of at least 0x80. Thread-safe.
Utf8Character LongCharacterAt(std::string_view text, size_t begin);

// Returns the character of `text` that begins at `begin`, which is less than
// its size. Invalid UTF-8 (RFC 3629: overlong, a surrogate, beyond U+10FFFF, or
// truncated) is read as single bytes. Thread-safe.
inline Utf8Character CharacterAt(std::string_view text, size_t begin) {
  const auto byte = static_cast<unsigned char>(text[begin]);
  if (ABSL_PREDICT_TRUE(byte < 0x80)) return {byte, 1};
  return LongCharacterAt(text, begin);
}

// Returns whether all of `text` is UTF-8. Thread-safe.
bool IsUtf8(std::string_view text);

}  // namespace fsload
