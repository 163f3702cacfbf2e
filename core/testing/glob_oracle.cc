#include "core/testing/glob_oracle.h"

#include <cstdio>

namespace fsload {
namespace {

constexpr char kMalformed[] = "(";

std::string Byte(unsigned char byte) {
  char text[8];
  std::snprintf(text, sizeof(text), "\\x%02x", byte);
  return text;
}

// Takes one byte of a match-list off the front of `text`: L691, L692.
bool TakeListed(std::string_view& text, unsigned char& byte) {
  if (text.empty() || text[0] == '-' || text[0] == ']') return false;
  if (text[0] == '\\') text.remove_prefix(1);
  if (text.empty()) return false;
  byte = text[0];
  text.remove_prefix(1);
  return true;
}

// Takes a match-list and its ']' off the front of `text`: L686-L693.
std::string TakeClass(std::string_view& text) {
  const bool negated = !text.empty() && text[0] == '^';
  if (negated) text.remove_prefix(1);
  std::string listed;
  bool empty = true;
  for (; !text.empty() && text[0] != ']'; empty = false) {
    unsigned char low;
    if (!TakeListed(text, low)) return kMalformed;
    unsigned char high = low;
    if (!text.empty() && text[0] == '-') {
      text.remove_prefix(1);
      if (!TakeListed(text, high)) return kMalformed;
    }
    if (low <= high) listed += Byte(low) + "-" + Byte(high);
  }
  if (text.empty() || empty) return kMalformed;
  text.remove_prefix(1);
  if (listed.empty()) return negated ? "[\\x00-\\xff]" : "[^\\x00-\\xff]";
  return (negated ? "[^" : "[") + listed + "]";
}

}  // namespace

std::string RegexOfSegment(std::string_view text) {
  std::string regex;
  while (!text.empty()) {
    const char c = text[0];
    text.remove_prefix(1);
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
      regex += Byte(text[0]);
      text.remove_prefix(1);
    } else {
      regex += Byte(c);
    }
  }
  return regex;
}

std::unique_ptr<RE2> CompileSegment(std::string_view segment) {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);
  options.set_dot_nl(true);
  options.set_log_errors(false);
  auto regex = std::make_unique<RE2>(RegexOfSegment(segment), options);
  return regex->ok() ? std::move(regex) : nullptr;
}

bool MatchesWhole(const RE2& regex, const std::string& name) {
  return RE2::FullMatch(name, regex);
}

}  // namespace fsload
