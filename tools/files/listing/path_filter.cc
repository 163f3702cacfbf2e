#include "tools/files/listing/path_filter.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Whether `pattern` matches the first `count` of `names`.
bool Matches(const GlobPattern& pattern,
             const std::vector<std::string_view>& names, size_t count,
             bool is_directory) {
  if (pattern.directories_only && !is_directory) return false;
  if (pattern.segments.size() == 1 && !pattern.absolute) {
    return pattern.segments[0].Matches(names[count - 1]);
  }
  if (pattern.segments.size() != count) return false;
  for (size_t i = 0; i < count; ++i) {
    if (!pattern.segments[i].Matches(names[i])) return false;
  }
  return true;
}

absl::StatusOr<std::vector<GlobPattern>> ParseAll(
    const std::vector<std::string>& texts) {
  std::vector<GlobPattern> patterns;
  for (const std::string& text : texts) {
    absl::StatusOr<GlobPattern> pattern = GlobPattern::Parse(text);
    if (!pattern.ok()) return pattern.status();
    if (!pattern->root.empty() || pattern->segments.empty()) {
      return InvalidArgumentError(
          "not a pattern for paths below the source: '{}'", text);
    }
    for (const NamePattern& segment : pattern->segments) {
      if (!segment.is_literal() ||
          (segment.text() != "." && segment.text() != "..")) {
        continue;
      }
      return InvalidArgumentError(
          "'{}' would match nothing: patterns for paths below the source "
          "cannot contain '.' or '..'",
          text);
    }
    patterns.push_back(*std::move(pattern));
  }
  return patterns;
}

}  // namespace

absl::StatusOr<PathFilter> PathFilter::Create(
    const std::vector<std::string>& includes,
    const std::vector<std::string>& excludes) {
  absl::StatusOr<std::vector<GlobPattern>> included = ParseAll(includes);
  if (!included.ok()) return included.status();
  absl::StatusOr<std::vector<GlobPattern>> excluded = ParseAll(excludes);
  if (!excluded.ok()) return excluded.status();
  PathFilter filter;
  filter.includes_ = *std::move(included);
  filter.excludes_ = *std::move(excluded);
  return filter;
}

bool PathFilter::Excludes(std::string_view path, bool is_directory) const {
  const std::vector<std::string_view> names = NamesIn(path);
  return std::any_of(
      excludes_.begin(), excludes_.end(), [&](const GlobPattern& pattern) {
        return Matches(pattern, names, names.size(), is_directory);
      });
}

bool PathFilter::Includes(std::string_view path) const {
  if (includes_.empty()) return true;
  const std::vector<std::string_view> names = NamesIn(path);
  for (const GlobPattern& pattern : includes_) {
    for (size_t count = 1; count <= names.size(); ++count) {
      if (Matches(pattern, names, count, count < names.size())) {
        return true;
      }
    }
  }
  return false;
}

std::vector<std::string_view> NamesIn(std::string_view path) {
  std::vector<std::string_view> names;
  while (true) {
    const size_t end = path.find('/');
    names.push_back(path.substr(0, end));
    if (end == std::string_view::npos) return names;
    path.remove_prefix(end + 1);
  }
}

}  // namespace fsload
