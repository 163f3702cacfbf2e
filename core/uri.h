// URIs as TensorFlow reads them: "scheme://host/path", or a path alone.
#ifndef FSLOAD_CORE_URI_H_
#define FSLOAD_CORE_URI_H_

#include <cstddef>
#include <string_view>

namespace fsload {

// Parts of the string that was parsed; they live as long as it does.
struct Uri {
  std::string_view scheme;  // "" for a path alone
  std::string_view host;    // between "://" and the next '/'
  std::string_view path;    // the rest, its '/' included
};

// The length of the scheme that `text` begins with: a letter followed by one or
// more letters, digits or dots; 0 where it begins with none. Thread-safe.
inline size_t SchemeLength(std::string_view text) {
  const auto is_letter = [](char c) {
    return static_cast<unsigned char>((c | 0x20) - 'a') < 26;
  };
  if (text.empty() || !is_letter(text[0])) return 0;
  size_t length = 1;
  while (length < text.size() &&
         (is_letter(text[length]) || text[length] == '.' ||
          static_cast<unsigned char>(text[length] - '0') < 10)) {
    ++length;
  }
  return length >= 2 ? length : 0;
}

// Takes `uri` apart. What has no scheme before a "://" is all path. Never
// fails. Thread-safe. Inline, for it is part of each call by URI, and nobody
// uses all that it yields.
inline Uri ParseUri(std::string_view uri) {
  constexpr size_t kSeparator = 3;  // "://"
  const size_t length = SchemeLength(uri);
  if (length == 0 || uri.size() - length < kSeparator || uri[length] != ':' ||
      uri[length + 1] != '/' || uri[length + 2] != '/') {
    return {uri.substr(0, 0), uri.substr(0, 0), uri};
  }
  const std::string_view rest = uri.substr(length + kSeparator);
  const size_t slash = rest.find('/');
  const size_t host = slash == std::string_view::npos ? rest.size() : slash;
  return {uri.substr(0, length), rest.substr(0, host), rest.substr(host)};
}

// Whether `scheme` can stand before "://", so that ParseUri finds it, or is "",
// the scheme of local paths (L1020-L1022).
inline bool IsScheme(std::string_view scheme) {
  return scheme.empty() || SchemeLength(scheme) == scheme.size();
}

}  // namespace fsload

#endif  // FSLOAD_CORE_URI_H_
