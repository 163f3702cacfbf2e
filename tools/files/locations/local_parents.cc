#include "tools/files/locations/local_parents.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "tools/files/locations/local_contents.h"
#include "tools/files/locations/local_tree.h"
#include "tools/session/session.h"

namespace fsload {
namespace {

// The length of a local path up to its last ".." that follows a name; 0 if
// there is none.
size_t LengthUpToParent(std::string_view path) {
  size_t length = 0;
  bool has_name = false;
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part == ".." && has_name) length = end;
    has_name |= !part.empty() && part != "." && part != "..";
    begin = end + 1;
  }
  return length;
}

std::string_view LocalPathIn(const std::string& uri) {
  const Uri parts = ParseUri(uri);
  const bool is_local = parts.scheme.empty() || parts.scheme == kBundledName;
  return is_local ? parts.path : std::string_view();
}

}  // namespace

std::string WithoutParents(const std::string& uri) {
  const std::string_view path = LocalPathIn(uri);
  const std::string head(path.substr(0, LengthUpToParent(path)));
  if (head.empty() || uri.find('\0') != std::string::npos) return uri;
  struct stat by_kernel;
  struct stat by_text;
  if (stat(head.c_str(), &by_kernel) != 0) return uri;
  if (stat(CleanPath(head).c_str(), &by_text) == 0 &&
      IsSameFile(by_kernel, by_text)) {
    return uri;
  }
  char real[PATH_MAX];
  if (realpath(head.c_str(), real) == nullptr) return uri;
  const std::string_view folder = real;
  const std::string_view rest = path.substr(head.size());
  // Its name is no more specific than "..".
  return uri.substr(0, uri.size() - path.size()) +
         std::string(folder == "/" ? "" : folder) +
         std::string(rest.empty() ? "/." : rest);
}

absl::Status CheckParents(const std::string& uri) {
  const std::string_view path = LocalPathIn(uri);
  const std::string head(path.substr(0, LengthUpToParent(path)));
  struct stat found;
  if (head.empty() || stat(head.c_str(), &found) == 0) return absl::OkStatus();
  return LocalError(errno, head);
}

}  // namespace fsload
