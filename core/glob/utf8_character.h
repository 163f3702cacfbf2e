// Characters of UTF-8 in text that may be anything.
#ifndef FSLOAD_CORE_GLOB_UTF8_CHARACTER_H_
#define FSLOAD_CORE_GLOB_UTF8_CHARACTER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/base/optimization.h"

namespace fsload {

// A code point; or a byte that belongs to none, as its number behind all of
// them.
struct Utf8Character {
  static constexpr uint32_t kFirstByte = 0x110000;

  // Whether it is a byte that belongs to no character.
  bool is_byte() const { return value >= kFirstByte; }

  uint32_t value;
  size_t bytes;  // that it takes, 1 to 4
};

// The character that begins with a byte of at least 0x80. Thread-safe.
Utf8Character LongCharacterAt(std::string_view text, size_t begin);

// The character of `text`, which goes on there, that begins with the byte
// `begin`. What is no valid UTF-8 (RFC 3629: not the shortest form, a half of a
// pair, beyond U+10FFFF, or cut off) is single bytes. Thread-safe.
inline Utf8Character CharacterAt(std::string_view text, size_t begin) {
  const auto byte = static_cast<unsigned char>(text[begin]);
  if (ABSL_PREDICT_TRUE(byte < 0x80)) return {byte, 1};
  return LongCharacterAt(text, begin);
}

}  // namespace fsload

#endif  // FSLOAD_CORE_GLOB_UTF8_CHARACTER_H_
