#include "tools/files/transfer/local_directories.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>

#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_contents.h"
#include "tools/files/locations/local_tree.h"
#include "tools/files/transfer/temporary_file.h"
#include "tools/session/running_ops.h"

namespace fsload {
namespace {

using Entry = LocalTree::Entry;

constexpr mode_t kOwnerMayWrite = S_IRWXU;

// Makes missing ancestors of `path`. A failure shows when they are used.
void MakeFoldersOf(const LocalTree& tree, const std::string& path) {
  constexpr mode_t kAll = 0777;
  for (size_t end = path.find('/'); end != std::string::npos;
       end = path.find('/', end + 1)) {
    const Entry entry = tree.Find(path.substr(0, end));
    if (entry.error != 0) return;
    static_cast<void>(mkdirat(entry.folder.get(), entry.name.c_str(), kAll));
  }
}

// The entry of `location`, creating missing ancestors.
Entry FindOrMakeFolders(const Location& location) {
  Entry entry = location.tree->Find(location.path);
  if (entry.error != ENOENT) return entry;
  MakeFoldersOf(*location.tree, location.path);
  return location.tree->Find(location.path);
}

}  // namespace

absl::Status NoDirectoryFor(const std::string& uri) {
  const std::string path(ParseUri(uri).path);
  struct stat found;
  if (lstat(path.c_str(), &found) == 0 && S_ISLNK(found.st_mode)) {
    return NotFoundError("{}: is a link into a directory that does not exist",
                         uri);
  }
  if (Dirname(uri).empty()) {
    return NotFoundError("{}: the current directory no longer exists", uri);
  }
  return NotFoundError(
      "{}: the directory '{}' does not exist; `fsload mkdir -p` creates it",
      uri, Dirname(uri));
}

absl::Status MakeLocalDirectory(const Step& step,
                                std::optional<MadeDirectory>& made) {
  const LocalCall call("mkdir", step.target.uri);
  struct stat info;
  int error = step.source.tree->Describe(step.source.path, info);
  if (error != 0) return LocalError(error, step.source.uri);
  const Entry entry = FindOrMakeFolders(step.target);
  if (entry.error != 0) return LocalError(entry.error, step.target.uri);
  const int folder = entry.folder.get();
  const char* const name = entry.name.c_str();
  struct stat there;
  if (mkdirat(folder, name, info.st_mode & 01777) != 0) {
    error = errno;
    const bool is_there = error == EEXIST && DescribeEntry(entry, there) == 0 &&
                          S_ISDIR(there.st_mode);
    return is_there ? absl::OkStatus() : LocalError(error, step.target.uri);
  }
  error = DescribeEntry(entry, there);
  if (error != 0) return LocalError(error, step.target.uri);
  // Less the umask, plus any bits that the system adds.
  const mode_t mode = there.st_mode & 07777;
  made = {info, mode};
  if ((mode & kOwnerMayWrite) != kOwnerMayWrite &&
      fchmodat(folder, name, mode | kOwnerMayWrite, 0) != 0) {
    error = errno;
  }
  return LocalError(error, step.target.uri);
}

bool IsUnfinished(const Step& step, const MadeDirectory& made) {
  return step.keeps || (made.mode & kOwnerMayWrite) != kOwnerMayWrite;
}

absl::Status FinishLocalDirectory(const Step& step, const MadeDirectory& made) {
  if (!IsUnfinished(step, made)) return absl::OkStatus();
  int error = 0;
  const Descriptor to =
      step.target.tree->OpenDirectory(step.target.path, O_RDONLY, error);
  if (error != 0) return LocalError(error, step.target.uri);
  if (!step.keeps) {
    if (fchmod(to.get(), made.mode) != 0) error = errno;
    return LocalError(error, step.target.uri);
  }
  // A user who cannot read the directory gets none of its extended attributes.
  const Descriptor from =
      step.source.tree->OpenDirectory(step.source.path, O_RDONLY, error);
  return LocalError(KeepAttributes(from.get(), to.get(), made.source),
                    step.target.uri);
}

int RenameLocalDirectory(const Step& step) {
  const LocalCall call("rename", step.source.uri);
  const Entry source = step.source.tree->Find(step.source.path);
  if (source.error != 0) return source.error;
  const Entry target = FindOrMakeFolders(step.target);
  if (target.error != 0) return target.error;
  struct stat info;
  const int error = DescribeEntry(source, info);
  if (error != 0) return error;
  if (!S_ISDIR(info.st_mode)) return ENOTDIR;
  const auto rename = [&](unsigned flags) {
    return renameat2(source.folder.get(), source.name.c_str(),
                     target.folder.get(), target.name.c_str(), flags) == 0
               ? 0
               : errno;
  };
  const int renamed = rename(RENAME_NOREPLACE);
  // rename(2) replaces only an empty directory.
  return renamed == EINVAL || renamed == ENOSYS ? rename(0) : renamed;
}

}  // namespace fsload
