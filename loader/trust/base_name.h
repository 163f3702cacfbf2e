// The last component of a local path. For paths of file systems, which may be
// URIs, see core/paths/path.h.
#pragma once

#include <string_view>

namespace fsload {

// Returns what follows the last '/' of `path`; all of it if there is none. A
// view into `path`.
inline std::string_view BaseName(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace fsload
