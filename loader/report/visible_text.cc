#include "loader/report/visible_text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "core/glob/utf8_character.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

struct Range {
  uint32_t first;
  uint32_t last;
};

constexpr Range kHidden[] = {
    {0x00, 0x1f},      // controls
    {0x7f, 0x9f},      // DEL and more controls: 0x9b is ESC [
    {0x2028, 0x2029},  // ends of lines and paragraphs
    {0x202a, 0x202e},  // change the direction
    {0x2066, 0x2069},  // the same
    {0xfffe, 0xffff},  // noncharacters, forbidden in XML
};

bool IsHidden(uint32_t code) {
  return std::any_of(std::begin(kHidden), std::end(kHidden),
                     [code](const Range& range) {
                       return range.first <= code && code <= range.last;
                     });
}

std::string Escaped(uint32_t code) {
  constexpr uint32_t kOneByte = 0xff;
  return code <= kOneByte ? Format("\\x{:02x}", code)
                          : Format("\\u{:04x}", code);
}

}  // namespace

std::string Visible(std::string_view text) {
  std::string visible;
  while (!text.empty()) {
    const Utf8Character first = CharacterAt(text, 0);
    if (first.is_byte()) {
      visible += Escaped(first.value - Utf8Character::kFirstByte);
    } else if (IsHidden(first.value)) {
      visible += Escaped(first.value);
    } else {
      visible += text.substr(0, first.bytes);
    }
    text.remove_prefix(first.bytes);
  }
  return visible;
}

}  // namespace fsload
