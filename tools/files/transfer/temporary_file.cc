#include "tools/files/transfer/temporary_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <string>

#include "core/calls/plugin_call.h"
#include "core/system/descriptor.h"
#include "core/system/random_number.h"
#include "fsload/internal/mutex.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_contents.h"
#include "tools/files/locations/local_location.h"
#include "tools/files/transfer/local_directories.h"
#include "tools/files/transfer/replaced_mode.h"
#include "tools/session/running_ops.h"

namespace fsload {
namespace {

using Entry = LocalTree::Entry;

struct Name {
  int folder;
  const char* name;
};

int Describe(Name name, struct stat& info) {
  return fstatat(name.folder, name.name, &info, AT_SYMLINK_NOFOLLOW) == 0
             ? 0
             : errno;
}

// Bypasses the caches of file systems (FUSE, network), which may remember
// another file under this name.
int DescribeAnew(Name name, struct stat& info) {
  struct statx ignored;
  static_cast<void>(statx(name.folder, name.name,
                          AT_SYMLINK_NOFOLLOW | AT_STATX_FORCE_SYNC,
                          STATX_BASIC_STATS, &ignored));
  return Describe(name, info);
}

int Replace(Name source, Name target, WrittenFiles& placed) {
  const MutexLock lock(placed.replacing());
  struct stat there;
  struct stat folder;
  if (fstat(target.folder, &folder) != 0) return errno;
  if (DescribeAnew(target, there) == 0 &&
      placed.Has(folder, target.name, there)) {
    return EEXIST;
  }
  return renameat(source.folder, source.name, target.folder, target.name) == 0
             ? 0
             : errno;
}

// With an empty file of its own at `target` meanwhile, which is refused where
// there is a file.
int RenameOverPlaceholder(Name source, Name target) {
  const Descriptor placeholder(openat(target.folder, target.name,
                                      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                      0600));
  if (!placeholder.ok()) return errno;
  if (renameat(source.folder, source.name, target.folder, target.name) == 0) {
    return 0;
  }
  const int error = errno;
  struct stat made;
  struct stat there;
  if (fstat(placeholder.get(), &made) == 0 && Describe(target, there) == 0 &&
      made.st_ino == there.st_ino && there.st_size == 0) {
    unlinkat(target.folder, target.name, 0);
  }
  return error;
}

int PutNew(Name source, Name target, const struct stat& moved,
           WrittenFiles& placed) {
  const MutexLock lock(placed.replacing());
  if (renameat2(source.folder, source.name, target.folder, target.name,
                RENAME_NOREPLACE) == 0) {
    return 0;
  }
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // Not all file systems can (FUSE, NFS), and what is asked of one may come
  // from a cache. But it makes no second name where there is one.
  if (linkat(source.folder, source.name, target.folder, target.name, 0) == 0) {
    // A server that is asked twice says ENOENT of what it has done (NFS).
    if (unlinkat(source.folder, source.name, 0) == 0 || errno == ENOENT) {
      return 0;
    }
    const int error = errno;
    struct stat left;  // otherwise the target is all that there is
    if (DescribeAnew(source, left) == 0 && IsSameFile(left, moved)) {
      unlinkat(target.folder, target.name, 0);
    }
    return error;
  }
  if (errno == EEXIST || errno == EXDEV) return errno;
  if (!S_ISDIR(moved.st_mode)) return RenameOverPlaceholder(source, target);
  // An empty directory is all that this replaces.
  return renameat(source.folder, source.name, target.folder, target.name) == 0
             ? 0
             : errno;
}

// As for RenameEntry.
int Rename(Name source, const Entry& entry, bool replaces,
           WrittenFiles& placed) {
  const Name target = {entry.folder.get(), entry.name.c_str()};
  const LocalCall call("rename", entry.name);
  struct stat moved;
  const int unknown = DescribeAnew(source, moved);
  if (unknown != 0) return unknown;
  placed.Add(moved);
  const int error = replaces ? Replace(source, target, placed)
                             : PutNew(source, target, moved, placed);
  if (error != 0) placed.Remove(moved);
  return error;
}

}  // namespace

int DescribeEntry(const Entry& entry, struct stat& info) {
  const LocalCall call("stat", entry.name);
  return Describe({entry.folder.get(), entry.name.c_str()}, info);
}

bool IsFromBefore(const Entry& target, WrittenFiles& placed) {
  const LocalCall call("stat", target.name);
  // A name may be taken by an empty file for a moment (RenameOverPlaceholder).
  const MutexLock lock(placed.replacing());
  struct stat there;
  return DescribeAnew({target.folder.get(), target.name.c_str()}, there) == 0 &&
         !placed.Has(there);
}

int RenameEntry(const Entry& source, const Entry& target, bool replaces,
                WrittenFiles& placed) {
  return Rename({source.folder.get(), source.name.c_str()}, target, replaces,
                placed);
}

void RememberTarget(const Entry& target, WrittenFiles& placed) {
  struct stat there;
  struct stat folder;
  if (target.error == 0 && fstat(target.folder.get(), &folder) == 0 &&
      DescribeAnew({target.folder.get(), target.name.c_str()}, there) == 0) {
    placed.Remember(folder, target.name, there);
  }
}

std::string TemporaryName() {
  return Format(".fsload-{:016x}", RandomNumber());
}

absl::Status DeleteTemporaryFile(const Location& location) {
  const absl::Status deleted = DeleteFileAt(location);
  if (deleted.ok()) return deleted;
  return WithText(deleted,
                  "could not delete the temporary file " + location.uri);
}

absl::Status NotReplaced(const std::string& uri) {
  return AlreadyExistsError("{}: already exists; it is not replaced", uri);
}

TemporaryFile::TemporaryFile(const Entry& target, const std::string& uri)
    : target_(target),
      uri_(uri),
      name_(TemporaryName()),
      work_(name_ + " beside it may be an incomplete copy of " + uri) {}

TemporaryFile::~TemporaryFile() {
  const LocalCall call("unlink", name_);
  if (!is_renamed_) unlinkat(target_.folder.get(), name_.c_str(), 0);
}

absl::Status TemporaryFile::MoveTo(bool replaces, WrittenFiles& placed) {
  const int error =
      Rename({target_.folder.get(), name_.c_str()}, target_, replaces, placed);
  is_renamed_ = error == 0;
  return error == EEXIST ? NotReplaced(uri_) : LocalError(error, uri_);
}

absl::Status CheckWritable(const Entry& entry, const std::string& uri) {
  struct stat there;
  if (entry.error != 0 || DescribeEntry(entry, there) != 0 ||
      !S_ISREG(there.st_mode) ||
      faccessat(entry.folder.get(), entry.name.c_str(), W_OK, AT_EACCESS) ==
          0) {
    return absl::OkStatus();
  }
  return LocalError(errno, uri);
}

absl::Status MakeLocalFile(
    const Location& target, bool replaces, WrittenFiles& placed,
    const std::function<absl::Status(const std::string& uri)>& write) {
  const Entry entry = target.tree->Find(target.path);
  if (entry.error == ENOENT) return NoDirectoryFor(target.uri);
  if (entry.error != 0) return LocalError(entry.error, target.uri);
  struct stat there;
  const int error = DescribeEntry(entry, there);
  if (error == 0 && !replaces) return NotReplaced(target.uri);
  if (error == 0 && S_ISDIR(there.st_mode)) {
    return LocalError(EISDIR, target.uri);
  }
  absl::Status status = CheckNotSpecial(target);
  if (!status.ok()) return status;
  const ReplacedMode mode(target);
  TemporaryFile temporary(entry, target.uri);
  const size_t folder_bytes = target.uri.rfind('/') + 1;  // npos: 0
  const Location made =
      target.At(target.uri.substr(0, folder_bytes) + temporary.name());
  status = write(made.uri);
  if (status.ok()) status = mode.GiveTo(made);
  return status.ok() ? temporary.MoveTo(replaces, placed) : status;
}

}  // namespace fsload
