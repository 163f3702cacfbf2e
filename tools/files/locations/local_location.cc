#include "tools/files/locations/local_location.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>

#include "core/copies/mtime_granularity.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "core/system/descriptor.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_contents.h"
#include "tools/session/running_ops.h"

namespace fsload {
namespace {

bool HasNoName(const std::string& path) {
  const std::string_view name = Basename(path);
  return name.empty() || name == "." || name == "..";
}

// What `location` leads to through all symlinks: 0 or an errno value.
int DescribeBehindLinks(const Location& location, struct stat& info) {
  const LocalCall call("stat", location.uri);
  if (location.tree != nullptr) {
    const int error = location.tree->Describe(location.path, info);
    if (error != 0 || !S_ISLNK(info.st_mode)) return error;
    const LocalTree::Entry entry = location.tree->Find(location.path);
    if (entry.error != 0) return entry.error;
    return fstatat(entry.folder.get(), entry.name.c_str(), &info, 0) == 0
               ? 0
               : errno;
  }
  const std::optional<std::string> path = LocalPathOf(location);
  if (!path.has_value()) return ENOSYS;
  return stat(path->c_str(), &info) == 0 ? 0 : errno;
}

// The nearest existing folder above `location`.
bool DescribeFolder(const Location& location, struct stat& info) {
  if (location.tree == nullptr || location.path.empty()) return false;
  int error = ENOENT;
  for (std::string path = location.path; error == ENOENT && !path.empty();) {
    path = std::string(Dirname(path));
    error = location.tree->Describe(path, info);
  }
  return error == 0;
}

}  // namespace

Location InFolder(const Location& location, Links links) {
  OpenFolders open;
  return InFolder(location, links, open);
}

Location InFolder(const Location& location, Links links, OpenFolders& open) {
  const std::optional<std::string> path = LocalPathOf(location);
  if (!path.has_value()) return location;
  if (HasNoName(*path)) return AsTree(location, links);
  Location found = location;
  int error = ENOENT;
  std::string folder = *path;
  while (error == ENOENT && !HasNoName(folder)) {
    folder = FolderOf(folder);
    std::shared_ptr<const LocalTree>& tree = open[{folder, links}];
    if (tree == nullptr) tree = LocalTree::Open(folder, links, error);
    found.tree = tree;
    if (tree != nullptr) error = 0;
  }
  if (found.tree == nullptr) return location;
  const bool is_here = folder == ".";
  const size_t skipped = is_here ? 0 : folder.size() + (folder != "/" ? 1 : 0);
  found.path = path->substr(skipped);
  return found;
}

Location AsTree(const Location& location, Links links) {
  const std::optional<std::string> path = LocalPathOf(location);
  if (!path.has_value()) return location;
  Location found = location;
  int error = 0;
  found.tree = LocalTree::Open(*path, links, error);
  found.path.clear();
  return found;
}

PathState GetFileOrDirectoryState(const Location& location, StatEffort effort) {
  if (location.tree == nullptr) return GetPathState(location, effort);
  struct stat info;
  const int error = DescribeBehindLinks(location, info);
  if (error == ENOENT) return {};
  if (error != 0) return {LocalError(error, location.uri)};
  if (!SpecialKind(info.st_mode).empty()) {
    return {IsSpecial(location.uri, info.st_mode)};
  }
  const FileStatistics found = StatisticsOf(info);
  return {absl::OkStatus(),
          found.is_directory ? FileType::kDirectory : FileType::kFile, found};
}

absl::Status CheckNotSpecial(const Location& location) {
  struct stat info;
  if (DescribeBehindLinks(location, info) != 0 ||
      SpecialKind(info.st_mode).empty()) {
    return absl::OkStatus();
  }
  return IsSpecial(location.uri, info.st_mode);
}

absl::Status CheckNotMagicLink(const Location& location) {
  struct stat info;
  if (location.tree == nullptr ||
      location.tree->Describe(location.path, info) != 0 ||
      !S_ISLNK(info.st_mode)) {
    return absl::OkStatus();
  }
  const LocalTree::Entry entry = location.tree->Find(location.path);
  if (entry.error != 0) return LocalError(entry.error, location.uri);
  open_how how = {};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_NO_MAGICLINKS;
  const Descriptor behind(static_cast<int>(syscall(
      SYS_openat2, entry.folder.get(), entry.name.c_str(), &how, sizeof(how))));
  // A symlink loop is none of these, and is replaced.
  if (behind.ok() || errno != ELOOP ||
      fstatat(entry.folder.get(), entry.name.c_str(), &info, 0) != 0) {
    return absl::OkStatus();
  }
  return FailedPreconditionError(
      "{}: is a link to a file that a process has open; write '-' for standard "
      "output, or the name of that file",
      location.uri);
}

absl::Status CheckLeadsToTree(const Location& location) {
  if (location.tree == nullptr) return absl::OkStatus();
  const std::optional<std::string> path = LocalPathOf(location);
  const LocalCall call("stat", location.uri);
  struct stat by_path;
  struct stat in_tree;
  if (path.has_value() && lstat(path->c_str(), &by_path) == 0 &&
      location.tree->Describe(location.path, in_tree) == 0 &&
      IsSameFile(by_path, in_tree)) {
    return absl::OkStatus();
  }
  return AbortedError(
      "{}: the path leads to another file than when the plan was made; it is "
      "not deleted",
      location.uri);
}

absl::Status DeleteFileAt(const Location& location) {
  if (location.tree != nullptr) {
    return LocalError(location.tree->DeleteFile(location.path), location.uri);
  }
  absl::Status deleted = location.file_system->DeleteFile(location.uri);
  if (!deleted.ok() ||
      !NeedsConfirmation(TablesOf(*location.file_system).traits)) {
    return deleted;
  }
  const auto look = [&] { return location.file_system->Stat(location.uri); };
  if (!IsStillThere(look)) return deleted;
  return DataLossError("{}: {}", location.uri, kStillThere);
}

absl::Status DeleteDirectoryAt(const Location& location) {
  return location.tree == nullptr
             ? location.file_system->DeleteDir(location.uri)
             : LocalError(location.tree->DeleteDirectory(location.path),
                          location.uri);
}

bool AreOnOneDisk(const Location& source, const Location& target) {
  struct stat from;
  struct stat to;
  return source.tree != nullptr &&
         source.tree->Describe(source.path, from) == 0 &&
         DescribeFolder(target, to) && from.st_dev == to.st_dev;
}

std::string IdentityOf(const struct stat& file) {
  return Format("{}:{}", file.st_dev, file.st_ino);
}

std::string KeyOfFile(const Location& location) {
  struct stat info;
  if (location.tree == nullptr ||
      location.tree->Describe(location.path, info) != 0) {
    return "";
  }
  return IdentityOf(info);
}

std::string KeyBehindLinks(const Location& location) {
  struct stat info;
  if (location.tree == nullptr || DescribeBehindLinks(location, info) != 0) {
    return "";
  }
  return IdentityOf(info);
}

std::string KeyOf(const Location& location) {
  struct stat info;
  const std::string folder(Dirname(location.path));
  if (location.tree == nullptr || location.path.empty() ||
      location.tree->Describe(folder, info) != 0) {
    const absl::StatusOr<std::string> path =
        location.file_system->TranslateName(location.uri);
    if (!path.ok()) return location.uri;
    return ParseUri(*path).scheme.empty() ? CleanPath(*path) : *path;
  }
  return Format("{}/{}", IdentityOf(info), Basename(location.path));
}

}  // namespace fsload
