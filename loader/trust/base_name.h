// The last name of a path of this machine. Paths of file systems, which may be
// URIs, have core/paths/path.h.
#ifndef FSLOAD_LOADER_TRUST_BASE_NAME_H_
#define FSLOAD_LOADER_TRUST_BASE_NAME_H_

#include <string_view>

namespace fsload {

// What stands behind the last '/' of `path`; all of it where there is none.
// Part of `path`.
inline std::string_view BaseName(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace fsload

#endif  // FSLOAD_LOADER_TRUST_BASE_NAME_H_
