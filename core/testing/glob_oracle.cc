#include "core/testing/glob_oracle.h"

#include <cstdint>
#include <cstdio>
#include <utility>

namespace fsload {
namespace {

constexpr char kMalformed[] = "(";

// The last 128 code points, which no test uses, represent bytes that are not
// valid UTF-8.
constexpr uint32_t kFirstByte = 0x10ff00;

// The length in bytes of the first character of `text`, by the Unicode
// Standard's Table 3-7; 0 if there is none.
size_t CharacterBytes(const std::string& text) {
  static const RE2* const well_formed = [] {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);
    options.set_dot_nl(true);
    return new RE2(
        "([\\x00-\\x7f]|[\\xc2-\\xdf][\\x80-\\xbf]|"
        "\\xe0[\\xa0-\\xbf][\\x80-\\xbf]|"
        "[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf][\\x80-\\xbf]|"
        "\\xed[\\x80-\\x9f][\\x80-\\xbf]|"
        "\\xf0[\\x90-\\xbf][\\x80-\\xbf][\\x80-\\xbf]|"
        "[\\xf1-\\xf3][\\x80-\\xbf][\\x80-\\xbf][\\x80-\\xbf]|"
        "\\xf4[\\x80-\\x8f][\\x80-\\xbf][\\x80-\\xbf])",
        options);
  }();
  re2::StringPiece rest(text);
  return RE2::Consume(&rest, *well_formed) ? text.size() - rest.size() : 0;
}

// The same text with a code point of its own for each invalid byte.
std::string WellFormed(std::string text) {
  std::string well_formed;
  while (!text.empty()) {
    const size_t bytes = CharacterBytes(text);
    if (bytes > 0) {
      well_formed += text.substr(0, bytes);
    } else {
      const uint32_t value = kFirstByte + static_cast<unsigned char>(text[0]);
      well_formed +=
          {'\xf4', '\x8f', static_cast<char>(0x80 | (value >> 6 & 63)),
           static_cast<char>(0x80 | (value & 63))};
    }
    text.erase(0, bytes > 0 ? bytes : 1);
  }
  return well_formed;
}

// Removes the first character of `text`, which is well formed; returns it as a
// regular expression and as a number.
std::pair<std::string, uint32_t> TakeOne(std::string_view& text) {
  const size_t bytes = CharacterBytes(std::string(text.substr(0, 4)));
  uint32_t value = static_cast<unsigned char>(text[0]);
  if (bytes > 1) value &= 0x7f >> bytes;
  for (size_t i = 1; i < bytes; ++i) value = value << 6 | (text[i] & 63);
  text.remove_prefix(bytes);
  char regex[16];
  std::snprintf(regex, sizeof(regex), "\\x{%x}", value);
  return {regex, value};
}

// Removes one character of a match-list from the front of `text`: L691, L692.
bool TakeListed(std::string_view& text,
                std::pair<std::string, uint32_t>& listed) {
  if (text.empty() || text[0] == '-' || text[0] == ']') return false;
  if (text[0] == '\\') text.remove_prefix(1);
  if (text.empty()) return false;
  listed = TakeOne(text);
  return true;
}

// Removes a match-list and its ']' from the front of `text`: L686-L693.
std::string TakeClass(std::string_view& text) {
  const bool negated = !text.empty() && text[0] == '^';
  if (negated) text.remove_prefix(1);
  std::string all;
  bool empty = true;
  for (; !text.empty() && text[0] != ']'; empty = false) {
    std::pair<std::string, uint32_t> low;
    if (!TakeListed(text, low)) return kMalformed;
    auto high = low;
    if (!text.empty() && text[0] == '-') {
      text.remove_prefix(1);
      if (!TakeListed(text, high)) return kMalformed;
    }
    if (low.second <= high.second) all += low.first + "-" + high.first;
  }
  if (text.empty() || empty) return kMalformed;
  text.remove_prefix(1);
  if (all.empty()) {
    return negated ? "[\\x{0}-\\x{10ffff}]" : "[^\\x{0}-\\x{10ffff}]";
  }
  return (negated ? "[^" : "[") + all + "]";
}

}  // namespace

std::string RegexOfSegment(std::string_view segment) {
  const std::string well_formed = WellFormed(std::string(segment));
  std::string_view text = well_formed;
  std::string regex;
  while (!text.empty()) {
    const char c = text[0];
    const std::string itself = TakeOne(text).first;
    if (c == '*') {
      regex += "[^/]*";
    } else if (c == '?') {
      regex += "[^/]";
    } else if (c == '[') {
      const std::string one = TakeClass(text);
      if (one == kMalformed) return kMalformed;
      regex += one;
    } else if (c == '\\') {
      if (text.empty()) return kMalformed;
      regex += TakeOne(text).first;
    } else {
      regex += itself;
    }
  }
  return regex;
}

std::unique_ptr<RE2> CompileSegment(std::string_view segment) {
  RE2::Options options;
  options.set_dot_nl(true);
  options.set_log_errors(false);
  auto regex = std::make_unique<RE2>(RegexOfSegment(segment), options);
  return regex->ok() ? std::move(regex) : nullptr;
}

bool MatchesWhole(const RE2& regex, const std::string& name) {
  return RE2::FullMatch(WellFormed(name), regex);
}

}  // namespace fsload
