#include "loader/report/visible_text.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "third_party/fmt/format.h"

namespace fsload {
namespace {

struct Character {
  char32_t code;
  size_t bytes;  // 0: invalid UTF-8
};

// The lead byte of a character of 1, 2, 3 and 4 bytes, and its lowest code
// point: longer forms than necessary are invalid.
struct Form {
  unsigned char mask;
  unsigned char lead;
  char32_t least;
};
constexpr Form kForms[] = {{0x80, 0x00, 0},
                           {0xe0, 0xc0, 0x80},
                           {0xf0, 0xe0, 0x800},
                           {0xf8, 0xf0, 0x10000}};

struct Range {
  char32_t first;
  char32_t last;

  bool Has(char32_t code) const { return first <= code && code <= last; }
};
constexpr Range kSurrogates = {0xd800, 0xdfff};
constexpr char32_t kLargest = 0x10ffff;

constexpr Range kHidden[] = {
    {0x00, 0x1f},      // controls
    {0x7f, 0x9f},      // DEL and more controls: 0x9b is ESC [
    {0x2028, 0x2029},  // ends of lines and paragraphs
    {0x202a, 0x202e},  // change the direction
    {0x2066, 0x2069},  // the same
    {0xfffe, 0xffff},  // noncharacters, forbidden in XML
};

// The first character of `text`, which is not empty.
Character FirstOf(std::string_view text) {
  const auto byte = [text](size_t i) -> unsigned char {
    return i < text.size() ? text[i] : 0;
  };
  const Form* const form = std::find_if(
      std::begin(kForms), std::end(kForms),
      [&](const Form& each) { return (byte(0) & each.mask) == each.lead; });
  if (form == std::end(kForms)) return {0, 0};
  const size_t bytes = form - kForms + 1;
  char32_t code = byte(0) & static_cast<unsigned char>(~form->mask);
  for (size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {0, 0};
    code = code << 6 | (byte(i) & 0x3f);
  }
  if (code < form->least || code > kLargest || kSurrogates.Has(code)) {
    return {0, 0};
  }
  return {code, bytes};
}

std::string Escaped(char32_t code) {
  constexpr char32_t kOneByte = 0xff;
  return code <= kOneByte ? Format("\\x{:02x}", static_cast<unsigned>(code))
                          : Format("\\u{:04x}", static_cast<unsigned>(code));
}

}  // namespace

std::string Visible(std::string_view text) {
  std::string visible;
  while (!text.empty()) {
    const Character first = FirstOf(text);
    const size_t bytes = std::max<size_t>(first.bytes, 1);
    if (first.bytes == 0) {
      visible += Escaped(static_cast<unsigned char>(text[0]));
    } else if (std::any_of(
                   std::begin(kHidden), std::end(kHidden),
                   [&](const Range& range) { return range.Has(first.code); })) {
      visible += Escaped(first.code);
    } else {
      visible += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return visible;
}

}  // namespace fsload
