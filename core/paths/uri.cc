#include "core/paths/uri.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "core/paths/path.h"

namespace fsload {
namespace {

bool IsLetter(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'z';
}

bool IsSchemeCharacter(char c) {
  return IsLetter(c) || (c >= '0' && c <= '9') || c == '.';
}

}  // namespace

size_t SchemeLength(std::string_view text) {
  if (text.empty() || !IsLetter(text[0])) return 0;
  size_t length = 1;
  while (length < text.size() && IsSchemeCharacter(text[length])) ++length;
  return length >= 2 ? length : 0;
}

size_t SchemeBytesOfSlow(std::string_view uri) {
  constexpr std::string_view kEnd = "://";
  const size_t length = SchemeLength(uri);
  return uri.substr(length, kEnd.size()) == kEnd ? length : 0;
}

Uri ParseUri(std::string_view uri) {
  const std::string_view scheme = SchemeOf(uri);
  const char* const end = uri.data() + uri.size();
  if (scheme.empty()) return {scheme, scheme, uri};
  const char* const host = scheme.data() + scheme.size() + 3;  // "://"
  const auto* path =
      static_cast<const char*>(std::memchr(host, '/', end - host));
  if (path == nullptr) path = end;
  return {scheme,
          {host, static_cast<size_t>(path - host)},
          {path, static_cast<size_t>(end - path)}};
}

bool IsSameStore(std::string_view a, std::string_view b) {
  const Uri of_a = ParseUri(a);
  const Uri of_b = ParseUri(b);
  return of_a.scheme == of_b.scheme && of_a.host == of_b.host;
}

bool MayBeOneFile(std::string_view a, std::string_view b) {
  const Uri of_a = ParseUri(a);
  const Uri of_b = ParseUri(b);
  return absl::AsciiStrToLower(std::string(of_a.host)) ==
             absl::AsciiStrToLower(std::string(of_b.host)) &&
         CleanPath(of_a.path) == CleanPath(of_b.path);
}

}  // namespace fsload
