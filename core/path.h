// Paths as TensorFlow cleans them, without looking at any file system.
#ifndef FSLOAD_CORE_PATH_H_
#define FSLOAD_CORE_PATH_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace fsload {

// The shortest path that means the same: no "//", no "." and no trailing '/';
// ".." takes the part before it away (at the root it vanishes, at the start of
// a relative path it stays). The empty path becomes ".". Thread-safe.
std::string CleanPath(std::string_view path);

// The same into `out`, which has room for path.size() + 1 bytes; yields how
// many it wrote. Allocates nothing.
size_t CleanPathInto(std::string_view path, char* out);

}  // namespace fsload

#endif  // FSLOAD_CORE_PATH_H_
