#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "testdata/plugin_memory.h"
#include "testdata/posix/ops.h"

namespace posix_plugin {
namespace {

constexpr std::string_view kPrefix = "posix://";

// Drops scheme and host from "posix://host/path"; other paths are unchanged.
std::string_view PathOf(std::string_view uri) {
  if (uri.substr(0, kPrefix.size()) != kPrefix) return uri;
  uri.remove_prefix(kPrefix.size());
  const size_t slash = uri.find('/');
  return slash == std::string_view::npos ? "/" : uri.substr(slash);
}

// The components of `path`, with "." and ".." resolved.
std::vector<std::string_view> Parts(std::string_view path, bool is_absolute) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (!is_absolute) {
      parts.push_back(part);  // The root is its own parent; "." is not.
    }
  }
  return parts;
}

// L637: "/a//b/../c/" is "/a/c". A relative path stays relative.
std::string CleanPath(std::string_view path) {
  if (path.empty()) return "";
  const bool is_absolute = path.front() == '/';
  std::string clean;
  for (const std::string_view part : Parts(path, is_absolute)) {
    if (is_absolute || !clean.empty()) clean += '/';
    clean += part;
  }
  if (clean.empty()) return is_absolute ? "/" : ".";
  return clean;
}

}  // namespace

char* TranslateName(const TF_Filesystem*, const char* uri) {
  return plugin_memory::CopyString(CleanPath(PathOf(uri)));
}

}  // namespace posix_plugin
