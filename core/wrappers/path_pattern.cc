#include "core/wrappers/path_pattern.h"

#include <algorithm>
#include <string_view>

#include "core/paths/path.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

// Takes the first component from `path`; "" if there is none.
std::string_view TakeName(std::string_view& path) {
  path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
  const std::string_view name = path.substr(0, path.find('/'));
  path.remove_prefix(name.size());
  return name;
}

}  // namespace

absl::StatusOr<PathPattern> PathPattern::Parse(std::string_view pattern) {
  absl::StatusOr<GlobPattern> glob = GlobPattern::Parse(pattern);
  if (!glob.ok()) return glob.status();
  return PathPattern(*std::move(glob),
                     pattern.find('/') == std::string_view::npos);
}

bool PathPattern::Matches(std::string_view path) const {
  if (glob_.segments.empty() && !glob_.absolute && glob_.root.empty()) {
    return true;
  }
  if (names_only_) return glob_.segments.front().Matches(Basename(path));
  const Uri uri = ParseUri(path);
  const std::string_view root = path.substr(0, path.size() - uri.path.size());
  std::string_view rest = uri.path;
  const bool absolute = !rest.empty() && rest.front() == '/';
  if (root != glob_.root || absolute != glob_.absolute) return false;
  for (const NamePattern& segment : glob_.segments) {
    const std::string_view name = TakeName(rest);
    if (name.empty() || !segment.Matches(name)) return false;
  }
  return TakeName(rest).empty();
}

}  // namespace fsload
