#include "tools/files/locations/path_checks.h"

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/paths/bucket.h"
#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_contents.h"
#include "tools/files/locations/shared_storage.h"
#include "tools/session/bundled_plugin.h"

namespace fsload {
namespace {

// A cleaned path as the plugin sees it: what precedes the path, and the path.
struct Canonical {
  absl::Status status;
  std::string before;
  std::string path;
};

Canonical CanonicalOf(const Location& location) {
  const absl::StatusOr<std::string> name =
      location.file_system->TranslateName(location.uri);
  if (!name.ok()) return {name.status(), "", ""};
  const Uri uri = ParseUri(*name);
  const size_t before = name->size() - uri.path.size();
  std::string path = CleanPath(uri.path);
  if (before > 0 && path == ".") path = "/";
  return {absl::OkStatus(), name->substr(0, before), path};
}

// Whether `inner` is `outer` or lies in it. A relative and an absolute path are
// not compared.
bool IsWithin(const std::string& outer, const std::string& inner) {
  if (outer == inner) return true;
  if (outer == ".") {
    return inner.front() != '/' && inner != ".." && inner.rfind("../", 0) != 0;
  }
  const std::string prefix = outer == "/" ? outer : outer + "/";
  return inner.rfind(prefix, 0) == 0;
}

// Whether only ".." is left of a clean path: it means the working directory or
// an ancestor.
bool IsAroundCaller(const std::string& path) {
  return path == "." || path == ".." ||
         (path.size() > 2 && path.compare(path.size() - 3, 3, "/..") == 0);
}

// The host in what precedes a path.
std::string_view HostOf(const std::string& before) {
  return ParseUri(before).host;
}

bool IsBundled(const Location& location) {
  return location.file_system->plugin() == kBundledPluginName;
}

// The same for an absolute path, or one that leads there through symlinks. A
// symlink to such a folder is another entry, which may be deleted.
bool LeadsAroundCaller(const Location& location) {
  const std::optional<std::string> path = LocalPathOf(location);
  struct stat found;
  if (!path.has_value() || lstat(path->c_str(), &found) != 0) return false;
  std::string around = ".";
  struct stat inner;
  struct stat outer;
  if (stat(around.c_str(), &outer) != 0) return false;
  // The root is its own parent.
  do {
    if (IsSameFile(outer, found)) return true;
    inner = outer;
    around += "/..";
    if (stat(around.c_str(), &outer) != 0) return false;
  } while (!IsSameFile(inner, outer));
  return false;
}

// Returns the clean path, if the plugin serves this machine's files; else "".
std::string PathHere(const Location& location, const Canonical& canonical) {
  const bool is_here =
      HostOf(canonical.before).empty() &&
      (IsBundled(location) || IsOnThisMachine(location, canonical.path));
  return is_here ? canonical.path : "";
}

// The path on this machine without symlinks, whose end need not exist; "" if
// unknown.
std::string RealPathOf(const Location& location, const Canonical& canonical) {
  const std::string local = PathHere(location, canonical);
  std::error_code error;
  const std::filesystem::path absolute =
      local.empty() ? local : std::filesystem::absolute(local, error).string();
  if (error || absolute.empty()) return "";
  const std::string path =
      std::filesystem::weakly_canonical(absolute, error).string();
  return error ? "" : path;
}

// Returns whether the directory `outer` is `inner` or above it, judging by what
// they are: it, though not one in it, may be mounted in two places.
bool HoldsByIdentity(const std::string& outer, const std::string& inner) {
  struct stat wanted;
  if (outer.empty() || inner.empty() || stat(outer.c_str(), &wanted) != 0) {
    return false;
  }
  for (std::string each = inner;;) {
    struct stat found;
    if (stat(each.c_str(), &found) == 0 && IsSameFile(found, wanted)) {
      return true;
    }
    std::string above(Dirname(each));
    if (above == each || above.empty()) return false;
    each = std::move(above);
  }
}

// Returns whether two file systems lead to one store, judging by what is at
// either path: an alias may be another name of it.
absl::StatusOr<Evidence> IsOneStore(const Location& a, const Location& b) {
  const absl::StatusOr<Evidence> found = IsAlsoIn(b, a);
  return !found.ok() || *found == Evidence::kSame ? found : IsAlsoIn(a, b);
}

bool IsOneFile(const std::string& a, const std::string& b) {
  struct stat of_a;
  struct stat of_b;
  return stat(a.c_str(), &of_a) == 0 && stat(b.c_str(), &of_b) == 0 &&
         IsSameFile(of_a, of_b);
}

}  // namespace

std::string PathOnThisMachine(const Location& location) {
  const Canonical canonical = CanonicalOf(location);
  return canonical.status.ok() ? PathHere(location, canonical) : "";
}

std::optional<std::string> LocalPathOf(const Location& location) {
  if (!IsBundled(location)) return std::nullopt;
  absl::StatusOr<std::string> path =
      location.file_system->TranslateName(location.uri);
  return path.ok() ? std::optional(*std::move(path)) : std::nullopt;
}

PathState GetPathState(const Location& location, StatEffort effort) {
  const absl::StatusOr<std::optional<FileStatistics>> found =
      location.file_system->StatIfExists(location.uri, effort);
  if (!found.ok()) return {found.status()};
  if (!found->has_value()) return {};
  return {absl::OkStatus(),
          (*found)->is_directory ? FileType::kDirectory : FileType::kFile,
          **found};
}

bool IsKnownLink(const Location& location) {
  const absl::StatusOr<std::string> path =
      location.file_system->TranslateName(location.uri);
  struct stat found;
  return path.ok() && lstat(path->c_str(), &found) == 0 &&
         S_ISLNK(found.st_mode) &&
         (IsBundled(location) || IsOfThisMachine(location, *path));
}

absl::Status CheckNoLinkBeforeSlash(const Location& location) {
  if (WithoutTrailingSlashes(location.uri) == location.uri ||
      !IsKnownLink(location)) {
    return absl::OkStatus();
  }
  return FailedPreconditionError(
      "{}: is a link, not a directory; remove the trailing '/' to use the link "
      "itself",
      location.uri);
}

std::string NameOf(std::string_view uri) {
  std::string name(Basename(WithoutTrailingSlashes(uri)));
  return name == "." || name == ".." ? "" : name;
}

absl::Status CheckOutside(const Location& outer, const Location& inner,
                          std::string_view action) {
  const Canonical a = CanonicalOf(outer);
  if (!a.status.ok()) return a.status;
  const Canonical b = CanonicalOf(inner);
  if (!b.status.ok()) return b.status;
  const std::string real_outer = RealPathOf(outer, a);
  const std::string real_inner = RealPathOf(inner, b);
  bool nested =
      HostOf(a.before) == HostOf(b.before) && IsWithin(a.path, b.path);
  if (nested) {
    const absl::StatusOr<Evidence> is_one = IsOneStore(outer, inner);
    if (!is_one.ok()) return is_one.status();
    // A mirror may have no times. If it is the same place, no file of it is
    // copied onto itself (CheckDifferent).
    nested = *is_one == Evidence::kSame ||
             (*is_one == Evidence::kNone && a.path != b.path);
  }
  if ((nested && a.path == b.path) ||
      (!real_outer.empty() && real_outer == real_inner)) {
    return InvalidArgumentError(
        "{} and {} are the same directory{}", outer.uri, inner.uri,
        outer.file_system == inner.file_system
            ? ""
            : ", or have the same names, lengths and times");
  }
  const bool within = nested ||
                      (!real_outer.empty() && !real_inner.empty() &&
                       IsWithin(real_outer, real_inner)) ||
                      HoldsByIdentity(real_outer, real_inner);
  if (!within) return absl::OkStatus();
  return InvalidArgumentError("{}: cannot {} into itself ('{}')", outer.uri,
                              action, inner.uri);
}

absl::Status AreTheSame(const Location& a, const Location& b) {
  return InvalidArgumentError("{} and {} are the same file", a.uri, b.uri);
}

absl::Status CheckDifferent(const Location& a, const FileStatistics& of_a,
                            const Location& b, const FileStatistics& of_b) {
  const Canonical in_a = CanonicalOf(a);
  if (!in_a.status.ok()) return in_a.status;
  const Canonical in_b = CanonicalOf(b);
  if (!in_b.status.ok()) return in_b.status;
  const bool same = in_a.path == in_b.path &&
                    HostOf(in_a.before) == HostOf(in_b.before) &&
                    (a.file_system == b.file_system
                         ? in_a.before == in_b.before
                         : of_a.length == of_b.length &&
                               MayBeOneTime(of_a.mtime_nsec, of_b.mtime_nsec));
  return same ? AreTheSame(a, b) : absl::OkStatus();
}

absl::Status CheckNotItself(const Location& source, const Location& target,
                            bool renames) {
  const Canonical a = CanonicalOf(source);
  if (!a.status.ok()) return a.status;
  const Canonical b = CanonicalOf(target);
  if (!b.status.ok()) return b.status;
  // The plugins are asked only if they seem to serve one file.
  if (!IsOneFile(a.path, b.path) || PathHere(source, a).empty() ||
      PathHere(target, b).empty()) {
    return absl::OkStatus();
  }
  // Like mv(1), a file may replace a symlink to it. No other name of the file
  // is replaced, as the source's may be the same entry: a disk may treat two
  // names as one, and a file may be mounted in two places.
  const bool may_replace =
      renames && !IsKnownLink(source) && IsKnownLink(target);
  return may_replace ? absl::OkStatus() : AreTheSame(source, target);
}

absl::Status CheckMayBeDeleted(const Location& location, std::string_view verb,
                               std::string_view remedy) {
  const Canonical canonical = CanonicalOf(location);
  if (!canonical.status.ok()) return canonical.status;
  const Uri uri = ParseUri(location.uri);
  const std::string path = CleanPath(uri.path);
  const bool bare = uri.scheme.empty();
  const auto refused = [&](std::string_view what) {
    return FailedPreconditionError("{}: refusing to {} {}{}", location.uri,
                                   verb, what, remedy);
  };
  if (path == "/" || canonical.path == "/" || (!bare && path == ".")) {
    return refused("the root of a file system");
  }
  if (IsBucketRoot(location.uri)) {
    return refused(Format("the root of a {}", BucketOf(location.uri).word));
  }
  if ((bare && IsAroundCaller(path)) || LeadsAroundCaller(location)) {
    return refused("the current directory or one above it");
  }
  const std::string_view name = Basename(WithoutTrailingSlashes(location.uri));
  if (name == "." || name == "..") {
    return refused("a path that ends in '.' or '..'");
  }
  if (uri.path.find("//") != std::string_view::npos) {
    return refused("a path with an empty component (is a variable unset?)");
  }
  return absl::OkStatus();
}

}  // namespace fsload
