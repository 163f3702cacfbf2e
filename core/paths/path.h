// Paths as TensorFlow cleans them (L163), without access to any file system.
//
// These functions cannot fail and are thread-safe. Paths are bytes: nothing is
// decoded.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace fsload {

// Returns the shortest path with the same meaning: no "//", no "." and no
// trailing '/'; ".." removes the component before it (at the root it vanishes,
// at the start of a relative path it stays). The empty path becomes "."
std::string CleanPath(std::string_view path);

// Writes CleanPath(path) to `out`, which has room for path.size() + 1 bytes,
// and returns its length. Allocates nothing.
size_t CleanPathInto(std::string_view path, char* out);

// How many bytes CopyCleanPath may write beyond the path.
inline constexpr size_t kCopySlack = 16;

// Copies the path of `uri`, whose scheme has `scheme_bytes` bytes, into `out`,
// which has room for uri.size() and kCopySlack bytes, and returns its length; 0
// if the path is empty or not obviously clean: CleanPath might then change it,
// or the URI contains a null byte. Handles most URIs in the time of a copy.
size_t CopyCleanPath(std::string_view uri, size_t scheme_bytes, char* out);

// Returns `path` appended to `folder` with one '/' between them, even if `path`
// is absolute. An empty one is ignored.
std::string JoinPath(std::string_view folder, std::string_view path);

// Returns the part of a URI's path before the last '/', with its scheme and
// host; the '/' itself stays only if it is the root. A view into `uri`.
std::string_view Dirname(std::string_view uri);

// Returns the directory of `uri`: its Dirname, "." for a relative path without
// '/'.
std::string FolderOf(std::string_view uri);

// Adds the directories above `uri` to `folders`, up to one that is there.
void AddFoldersAbove(std::string_view uri, std::set<std::string>& folders);

// Returns `uri` without trailing slashes, except for a root. A view into it.
std::string_view WithoutSlashes(std::string_view uri);

// Returns the part of a URI's path after the last '/'. A view into `uri`.
std::string_view Basename(std::string_view uri);

}  // namespace fsload
