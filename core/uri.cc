#include "core/uri.h"

#include <cstddef>
#include <string_view>

namespace fsload {
namespace {

bool IsLetter(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'z';
}

bool IsSchemeCharacter(char c) {
  return IsLetter(c) || (c >= '0' && c <= '9') || c == '.';
}

// The length of the scheme that `text` begins with; 0 where it begins with
// none.
size_t SchemeLength(std::string_view text) {
  if (text.empty() || !IsLetter(text[0])) return 0;
  size_t length = 1;
  while (length < text.size() && IsSchemeCharacter(text[length])) ++length;
  return length >= 2 ? length : 0;
}

}  // namespace

Uri ParseUri(std::string_view uri) {
  constexpr std::string_view kSeparator = "://";
  const size_t length = SchemeLength(uri);
  if (length == 0 || uri.substr(length, kSeparator.size()) != kSeparator) {
    return {uri.substr(0, 0), uri.substr(0, 0), uri};
  }
  const std::string_view rest = uri.substr(length + kSeparator.size());
  const size_t slash = rest.find('/');
  const size_t host = slash == std::string_view::npos ? rest.size() : slash;
  return {uri.substr(0, length), rest.substr(0, host), rest.substr(host)};
}

bool IsScheme(std::string_view scheme) {
  return scheme.empty() || SchemeLength(scheme) == scheme.size();
}

}  // namespace fsload
