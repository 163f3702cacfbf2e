// Paths as TensorFlow cleans them (L163), without looking at any file system.
//
// None of these can fail, and all may be called from any number of threads at
// once. Paths are bytes: nothing is decoded.
#ifndef FSLOAD_CORE_PATHS_PATH_H_
#define FSLOAD_CORE_PATHS_PATH_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace fsload {

// The shortest path that means the same: no "//", no "." and no trailing '/';
// ".." takes the part before it away (at the root it vanishes, at the start of
// a relative path it stays). The empty path becomes "."
std::string CleanPath(std::string_view path);

// The same into `out`, which has room for path.size() + 1 bytes; yields how
// many it wrote. Allocates nothing.
size_t CleanPathInto(std::string_view path, char* out);

// What CopyCleanPath may write beyond a path's bytes.
inline constexpr size_t kCopySlack = 16;

// Copies the path of `uri`, whose scheme has `scheme_bytes` bytes, into `out`,
// which has room for uri.size() and kCopySlack bytes, and yields its length; 0
// where it is empty, or not seen at once to be clean: then CleanPath may change
// it, or a null byte is in the URI. This is what most URIs come to, in the time
// that copying takes.
size_t CopyCleanPath(std::string_view uri, size_t scheme_bytes, char* out);

// `path` behind `folder`, with one '/' between them; an absolute `path` is put
// behind it too. One that is empty counts for nothing.
std::string JoinPath(std::string_view folder, std::string_view path);

// What stands before the last '/' of a URI's path, with its scheme and host:
// the '/' itself stays only where it is the root's. Part of `uri`.
std::string_view Dirname(std::string_view uri);

// What stands behind the last '/' of a URI's path. Part of `uri`.
std::string_view Basename(std::string_view uri);

// What stands behind the last '.' of the basename; "" where it has none. Part
// of `uri`.
std::string_view Extension(std::string_view uri);

}  // namespace fsload

#endif  // FSLOAD_CORE_PATHS_PATH_H_
