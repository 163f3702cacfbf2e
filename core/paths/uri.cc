#include "core/paths/uri.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "core/paths/listed_names.h"
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

// Of a relative path, CleanPath keeps ".." only at the start.
bool LeadsAboveRoot(std::string_view path) {
  path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
  const std::string clean = CleanPath(path);
  return clean == ".." || clean.substr(0, 3) == "../";
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
  return IsSameButForCase(of_a.scheme, of_b.scheme) &&
         IsSameButForCase(of_a.host, of_b.host);
}

bool IsSameName(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (!IsSameStore(a, b)) return false;
  const std::string_view path = ParseUri(a).path;
  if (CleanPath(path) != CleanPath(ParseUri(b).path)) return false;
  return !LeadsAboveRoot(path) && !LeadsAboveRoot(ParseUri(b).path);
}

}  // namespace fsload
