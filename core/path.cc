#include "core/path.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "core/uri.h"

namespace fsload {

size_t CleanPathInto(std::string_view path, char* out) {
  char* const begin = out;
  const bool absolute = !path.empty() && path[0] == '/';
  if (absolute) *out++ = '/';
  char* floor = out;  // ".." takes nothing away before it
  for (size_t next = 0; next < path.size();) {
    const size_t slash = path.find('/', next);
    const size_t end = slash == std::string_view::npos ? path.size() : slash;
    const std::string_view part = path.substr(next, end - next);
    next = end + 1;
    if (part.empty() || part == ".") continue;
    const bool up = part == "..";
    if (up && out != floor) {
      --out;  // the '/' behind the part that goes
      while (out != floor && out[-1] != '/') --out;
      continue;
    }
    if (up && absolute) continue;
    std::memcpy(out, part.data(), part.size());
    out += part.size();
    *out++ = '/';
    if (up) floor = out;
  }
  if (out == begin) {
    *out++ = '.';
  } else if (out - begin > 1 && out[-1] == '/') {
    --out;
  }
  return out - begin;
}

std::string CleanPath(std::string_view path) {
  std::string clean(path.size() + 1, '\0');
  clean.resize(CleanPathInto(path, clean.data()));
  return clean;
}

std::string JoinPath(std::string_view folder, std::string_view path) {
  if (folder.empty() || path.empty()) {
    return std::string(folder.empty() ? path : folder);
  }
  std::string joined(folder);
  const bool ends = joined.back() == '/';
  const bool begins = path.front() == '/';
  if (!ends && !begins) joined += '/';
  joined.append(path, ends && begins ? 1 : 0);
  return joined;
}

std::string_view Dirname(std::string_view uri) {
  const std::string_view path = ParseUri(uri).path;
  const size_t before = uri.size() - path.size();
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return uri.substr(0, before);
  return uri.substr(0, before + (slash == 0 ? 1 : slash));
}

std::string_view Basename(std::string_view uri) {
  const std::string_view path = ParseUri(uri).path;
  return path.substr(path.rfind('/') + 1);
}

std::string_view Extension(std::string_view uri) {
  const std::string_view name = Basename(uri);
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name.substr(name.size())
                                       : name.substr(dot + 1);
}

}  // namespace fsload
