// URIs as TensorFlow reads them: "scheme://host/path", or a path alone.
#ifndef FSLOAD_CORE_URI_H_
#define FSLOAD_CORE_URI_H_

#include <string_view>

namespace fsload {

// Parts of the string that was parsed; they live as long as it does.
struct Uri {
  std::string_view scheme;  // "" for a path alone
  std::string_view host;    // between "://" and the next '/'
  std::string_view path;    // the rest, its '/' included
};

// Takes `uri` apart. A scheme is a letter followed by one or more letters,
// digits or dots; what has none is all path. Never fails. Thread-safe.
Uri ParseUri(std::string_view uri);

// Whether `scheme` can stand before "://", so that ParseUri finds it, or is "",
// the scheme of local paths (L1020-L1022).
bool IsScheme(std::string_view scheme);

}  // namespace fsload

#endif  // FSLOAD_CORE_URI_H_
