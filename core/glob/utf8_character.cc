#include "core/glob/utf8_character.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fsload {
namespace {

// What a first byte determines: the number of bytes, and the least code point
// that needs that many. 0 bytes if no character begins with it.
struct Form {
  size_t bytes;
  uint32_t least;
};

Form FormOf(unsigned char first) {
  if ((first & 0xe0) == 0xc0) return {2, 0x80};
  if ((first & 0xf0) == 0xe0) return {3, 0x800};
  if ((first & 0xf8) == 0xf0) return {4, 0x10000};
  return {0, 0};
}

bool IsCodePoint(uint32_t value) {
  const bool half_of_pair = value >= 0xd800 && value <= 0xdfff;
  return value < Utf8Character::kFirstByte && !half_of_pair;
}

}  // namespace

Utf8Character LongCharacterAt(std::string_view text, size_t begin) {
  const auto first = static_cast<unsigned char>(text[begin]);
  const Utf8Character byte = {Utf8Character::kFirstByte + first, 1};
  const Form form = FormOf(first);
  if (form.bytes == 0 || text.size() - begin < form.bytes) return byte;
  uint32_t value = first & (0x7fu >> form.bytes);
  for (size_t i = 1; i < form.bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[begin + i]);
    if ((next & 0xc0) != 0x80) return byte;
    value = value << 6 | (next & 0x3fu);
  }
  if (value < form.least || !IsCodePoint(value)) return byte;
  return {value, form.bytes};
}

bool IsUtf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Utf8Character character = CharacterAt(text, at);
    if (character.is_byte()) return false;
    at += character.bytes;
  }
  return true;
}

}  // namespace fsload
