#include "tools/files/places/local_place.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/defaults/mtime_granularity.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "third_party/fmt/format.h"
#include "tools/files/local/descriptor.h"
#include "tools/files/local/local_contents.h"
#include "tools/files/state/running_ops.h"

namespace fsload {
namespace {

// The folder that contains `path`, which has no trailing slash.
std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool HasNoName(const std::string& path) {
  const std::string_view name = Basename(path);
  return name.empty() || name == "." || name == "..";
}

// What `place` leads to through all symlinks: 0 or an errno value.
int DescribeBehindLinks(const Place& place, struct stat& info) {
  const LocalCall call("stat", place.uri);
  if (place.tree != nullptr) {
    const int error = place.tree->Describe(place.path, info);
    if (error != 0 || !S_ISLNK(info.st_mode)) return error;
    const LocalTree::Entry entry = place.tree->Find(place.path);
    if (entry.error != 0) return entry.error;
    return fstatat(entry.folder.get(), entry.name.c_str(), &info, 0) == 0
               ? 0
               : errno;
  }
  const std::optional<std::string> path = LocalPathOf(place);
  if (!path.has_value()) return ENOSYS;
  return stat(path->c_str(), &info) == 0 ? 0 : errno;
}

// The nearest existing folder above `place`.
bool DescribeFolder(const Place& place, struct stat& info) {
  if (place.tree == nullptr || place.path.empty()) return false;
  int error = ENOENT;
  for (std::string path = place.path; error == ENOENT && !path.empty();) {
    path = std::string(Dirname(path));
    error = place.tree->Describe(path, info);
  }
  return error == 0;
}

}  // namespace

Place InFolder(const Place& place, Links links) {
  OpenFolders open;
  return InFolder(place, links, open);
}

Place InFolder(const Place& place, Links links, OpenFolders& open) {
  const std::optional<std::string> path = LocalPathOf(place);
  if (!path.has_value()) return place;
  if (HasNoName(*path)) return AsTree(place, links);
  Place found = place;
  int error = ENOENT;
  std::string folder = *path;
  while (error == ENOENT && !HasNoName(folder)) {
    folder = FolderOf(folder);
    std::shared_ptr<const LocalTree>& tree = open[{folder, links}];
    if (tree == nullptr) tree = LocalTree::Open(folder, links, error);
    found.tree = tree;
    if (tree != nullptr) error = 0;
  }
  if (found.tree == nullptr) return place;
  const bool is_here = folder == ".";
  const size_t skipped = is_here ? 0 : folder.size() + (folder != "/" ? 1 : 0);
  found.path = path->substr(skipped);
  return found;
}

Place AsTree(const Place& place, Links links) {
  const std::optional<std::string> path = LocalPathOf(place);
  if (!path.has_value()) return place;
  Place found = place;
  int error = 0;
  found.tree = LocalTree::Open(*path, links, error);
  found.path.clear();
  return found;
}

PathState GetFileOrDirectoryState(const Place& place, StatEffort effort) {
  if (place.tree == nullptr) return GetPathState(place, effort);
  struct stat info;
  const int error = DescribeBehindLinks(place, info);
  if (error == ENOENT) return {};
  if (error != 0) return {LocalError(error, place.uri)};
  if (!SpecialKind(info.st_mode).empty()) {
    return {IsSpecial(place.uri, info.st_mode)};
  }
  const FileStatistics found = StatisticsOf(info);
  return {absl::OkStatus(),
          found.is_directory ? FileType::kDirectory : FileType::kFile, found};
}

absl::Status CheckNotSpecial(const Place& place) {
  struct stat info;
  if (DescribeBehindLinks(place, info) != 0 ||
      SpecialKind(info.st_mode).empty()) {
    return absl::OkStatus();
  }
  return IsSpecial(place.uri, info.st_mode);
}

absl::Status CheckNotMagicLink(const Place& place) {
  struct stat info;
  if (place.tree == nullptr || place.tree->Describe(place.path, info) != 0 ||
      !S_ISLNK(info.st_mode)) {
    return absl::OkStatus();
  }
  const LocalTree::Entry entry = place.tree->Find(place.path);
  if (entry.error != 0) return LocalError(entry.error, place.uri);
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
  return absl::FailedPreconditionError(
      place.uri +
      ": is a link to a file that a process has open; write '-' for "
      "standard output, or the name of that file");
}

absl::Status DeleteFileAt(const Place& place) {
  if (place.tree != nullptr) {
    return LocalError(place.tree->DeleteFile(place.path), place.uri);
  }
  absl::Status deleted = place.file_system->DeleteFile(place.uri);
  if (!deleted.ok() ||
      !NeedsConfirmation(TablesOf(*place.file_system).traits)) {
    return deleted;
  }
  const auto look = [&] { return place.file_system->Stat(place.uri); };
  if (!IsStillThere(look)) return deleted;
  return absl::DataLossError(place.uri + ": " + kStillThere);
}

absl::Status DeleteDirectoryAt(const Place& place) {
  return place.tree == nullptr
             ? place.file_system->DeleteDir(place.uri)
             : LocalError(place.tree->DeleteDirectory(place.path), place.uri);
}

bool MayMeet(const Place& a, const Place& b) {
  return a.file_system == b.file_system ||
         (a.tree != nullptr && b.tree != nullptr);
}

bool AreOnOneDisk(const Place& source, const Place& target) {
  struct stat from;
  struct stat to;
  return source.tree != nullptr &&
         source.tree->Describe(source.path, from) == 0 &&
         DescribeFolder(target, to) && from.st_dev == to.st_dev;
}

std::string KeyOfFile(const Place& place) {
  struct stat info;
  if (place.tree == nullptr || place.tree->Describe(place.path, info) != 0) {
    return "";
  }
  return Format("{}:{}", info.st_dev, info.st_ino);
}

std::string KeyBehindLinks(const Place& place) {
  struct stat info;
  if (place.tree == nullptr || DescribeBehindLinks(place, info) != 0) return "";
  return Format("{}:{}", info.st_dev, info.st_ino);
}

std::string KeyOf(const Place& place) {
  struct stat info;
  const std::string folder(Dirname(place.path));
  if (place.tree == nullptr || place.path.empty() ||
      place.tree->Describe(folder, info) != 0) {
    const absl::StatusOr<std::string> path =
        place.file_system->TranslateName(place.uri);
    if (!path.ok()) return place.uri;
    return ParseUri(*path).scheme.empty() ? CleanPath(*path) : *path;
  }
  return Format("{}:{}/{}", info.st_dev, info.st_ino, Basename(place.path));
}

}  // namespace fsload
