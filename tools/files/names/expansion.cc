#include "tools/files/names/expansion.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "absl/status/status.h"
#include "core/glob/glob_pattern.h"
#include "core/paths/path.h"
#include "core/paths/scheme_names.h"
#include "core/paths/uri.h"
#include "third_party/fmt/format.h"
#include "tools/files/names/glob_matches.h"
#include "tools/files/names/presence.h"

namespace fsload {
namespace {

absl::Status Refused(const std::string& uri, std::string_view why) {
  return InvalidArgumentError("{}: {}", uri, why);
}

// A component of a pattern's path.
absl::Status CheckComponent(const std::string& uri, std::string_view name) {
  if (name.empty()) {
    return Refused(uri,
                   "the pattern has an empty component (is a variable unset?), "
                   "and the path without it would be used instead; remove one "
                   "'/'");
  }
  if (name == "..") {
    return Refused(uri, "the pattern contains '..'; write the path without it");
  }
  return absl::OkStatus();
}

// The components of `path`, in which a '\' quotes.
absl::Status CheckComponents(const std::string& uri, std::string_view path) {
  std::string name;
  for (size_t i = 0; i < path.size(); ++i) {
    const bool is_quoted = path[i] == '\\' && i + 1 < path.size();
    if (is_quoted) ++i;
    if (path[i] == '/') {
      const absl::Status status =
          i == 0 ? absl::OkStatus() : CheckComponent(uri, name);
      if (!status.ok()) return status;
      name.clear();
      continue;
    }
    if (!is_quoted && path.substr(i, 2) == "[!") {
      return Refused(uri,
                     "'[!' negates in the shell and lists '!' in TensorFlow; "
                     "write '[^' to negate, or '[\\!' to list it");
    }
    name += path[i];
  }
  return name == ".." ? CheckComponent(uri, name) : absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> Expand(const FileSystem& file_system,
                                                const Argument& argument) {
  const absl::StatusOr<GlobPattern> pattern =
      GlobPattern::Parse(argument.pattern);
  const std::vector<std::string> itself = {argument.uri};
  // As in the shell; and which plugin a scheme names is known once it is
  // loaded.
  if (!pattern.ok() || IsOfWebServers(ParseUri(argument.uri).scheme)) {
    return itself;
  }
  const absl::Status fits =
      CheckComponents(argument.uri, ParseUri(argument.pattern).path);
  if (!fits.ok()) return fits;
  absl::StatusOr<std::vector<std::string>> matches =
      MatchesOf(file_system, *pattern);
  // Nobody can say what it matches.
  if (absl::IsUnimplemented(matches.status())) return itself;
  if (!matches.ok()) return matches.status();
  if (matches->empty() || *matches == itself) return itself;
  const absl::StatusOr<bool> is_name = IsThereOrLink(file_system, argument.uri);
  if (!is_name.ok()) return is_name.status();
  if (!*is_name) return matches;
  const auto other = std::find_if(
      matches->begin(), matches->end(),
      [&](const std::string& match) { return match != argument.uri; });
  return Refused(
      argument.uri,
      Format("exists, and as a pattern also matches {}; use --literal, or "
             "quote with '\\', to name what exists, or `fsload glob` to "
             "list what matches",
             *other));
}

std::vector<std::string> Outermost(std::vector<std::string> uris) {
  std::set<std::string> folders;
  for (const std::string& uri : uris) {
    folders.insert(uri.back() == '/' ? uri.substr(0, uri.size() - 1) : uri);
  }
  const auto is_inside = [&folders](const std::string& uri) {
    std::string_view path = uri;
    if (path.back() == '/') path.remove_suffix(1);
    for (;;) {
      const std::string_view folder = Dirname(path);
      if (folder == path) return false;
      if (folders.count(std::string(folder)) > 0) return true;
      path = folder;
    }
  };
  uris.erase(std::remove_if(uris.begin(), uris.end(), is_inside), uris.end());
  return uris;
}

}  // namespace fsload
