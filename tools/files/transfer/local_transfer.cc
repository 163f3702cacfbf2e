#include "tools/files/transfer/local_transfer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/system/random_number.h"
#include "tools/files/local/local_contents.h"
#include "tools/files/local/local_tree.h"
#include "tools/files/state/interruption.h"
#include "tools/files/state/unfinished_work.h"

namespace fsload {
namespace {

using Entry = LocalTree::Entry;

constexpr mode_t kOwnerMayWrite = S_IRWXU;

std::string TemporaryName() {
  return fmt::format(".fsload-{:016x}", RandomNumber());
}

// lstat of an entry: 0, or an errno value.
int Describe(const Entry& entry, struct stat& info) {
  return fstatat(entry.folder.get(), entry.name.c_str(), &info,
                 AT_SYMLINK_NOFOLLOW) == 0
             ? 0
             : errno;
}

bool IsSame(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Renames `name` in `folder` to `target`; 0, or an errno value: EEXIST where
// something is there that is not to be replaced.
int Rename(int folder, const char* name, const Entry& target, bool replaces) {
  const int to = target.folder.get();
  const char* const to_name = target.name.c_str();
  int failed =
      renameat2(folder, name, to, to_name, replaces ? 0 : RENAME_NOREPLACE);
  // Not all file systems can. Then who creates the file at this moment loses
  // what he wrote, but for this process's own threads: two of their files may
  // be one on a disk that does not tell a from A.
  if (failed != 0 && !replaces && (errno == EINVAL || errno == ENOSYS)) {
    static std::mutex* const mutex = new std::mutex;  // outlives exit handlers
    const std::lock_guard<std::mutex> lock(*mutex);
    struct stat there;
    if (Describe(target, there) == 0) return EEXIST;
    failed = renameat(folder, name, to, to_name);
  }
  return failed == 0 ? 0 : errno;
}

// A file under a name of its own, which is deleted unless it is renamed.
class Temporary {
 public:
  Temporary(const Entry& target, const std::string& uri)
      : target_(target),
        name_(TemporaryName()),
        work_(name_ + " beside it may be an incomplete copy of " + uri) {}
  ~Temporary() {
    if (!is_renamed_) unlinkat(target_.folder.get(), name_.c_str(), 0);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const char* name() const { return name_.c_str(); }

  // Puts it in the target's place; 0, or an errno value.
  int MoveTo(bool replaces) {
    const int error =
        Rename(target_.folder.get(), name_.c_str(), target_, replaces);
    is_renamed_ = error == 0;
    return error;
  }

 private:
  const Entry& target_;
  const std::string name_;
  const UnfinishedWork work_;
  bool is_renamed_ = false;
};

// What stands at a target, which may be replaced.
struct Replaced {
  absl::Status status;
  std::optional<struct stat> info;  // none where there is nothing
};

Replaced LookAtTarget(const Step& step, const Entry& target, bool replaces) {
  const std::string& uri = step.target.uri;
  struct stat info;
  const int error = Describe(target, info);
  if (error == ENOENT) return {};
  if (error != 0) return {LocalError(error, uri), std::nullopt};
  if (!replaces) {
    return {NotReplaced(uri), std::nullopt};
  }
  if (S_ISDIR(info.st_mode)) return {LocalError(EISDIR, uri), std::nullopt};
  // A link is replaced itself, but not one that stands for a device.
  struct stat behind = info;
  if (S_ISLNK(info.st_mode) &&
      fstatat(target.folder.get(), target.name.c_str(), &behind, 0) != 0) {
    behind = info;
  }
  if (!SpecialKind(behind.st_mode).empty()) {
    return {IsSpecial(uri, behind.st_mode), std::nullopt};
  }
  return {absl::OkStatus(), info};
}

// The source of a step, opened to be read.
struct Opened {
  absl::Status status;
  Descriptor fd;
  struct stat info = {};
};

Opened OpenSource(const Step& step, const Entry& source) {
  Opened opened;
  const bool follows = step.source.tree->links() == Links::kFollowed;
  // Before it is opened: that may do something to a device.
  const int folder = source.folder.get();
  const char* const name = source.name.c_str();
  if (fstatat(folder, name, &opened.info, follows ? 0 : AT_SYMLINK_NOFOLLOW) !=
      0) {
    opened.status = LocalError(errno, step.source.uri);
    return opened;
  }
  if (SpecialKind(opened.info.st_mode).empty()) {
    opened.fd = Descriptor(
        openat(folder, name,
               O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW)));
    if (!opened.fd.ok() || fstat(opened.fd.get(), &opened.info) != 0) {
      opened.status = LocalError(errno, step.source.uri);
      return opened;
    }
  }
  if (S_ISDIR(opened.info.st_mode)) {
    opened.status = LocalError(EISDIR, step.source.uri);
  } else if (!S_ISREG(opened.info.st_mode)) {
    opened.status = IsSpecial(step.source.uri, opened.info.st_mode);
  }
  return opened;
}

// Fills the temporary file with the contents of the source. `info` becomes what
// the file is then.
absl::Status Fill(const Step& step, const Opened& source, const Entry& target,
                  const Replaced& replaced, bool keeps, Temporary& temporary,
                  Progress& progress, struct stat& info) {
  const bool is_new = !keeps && (!replaced.info.has_value() ||
                                 !S_ISREG(replaced.info->st_mode));
  const Descriptor to(openat(target.folder.get(), temporary.name(),
                             O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                             is_new ? source.info.st_mode & 0777 : 0600));
  if (!to.ok()) return LocalError(errno, step.target.uri);
  absl::Status status =
      CopyContents(source.fd.get(), to.get(), source.info, step.source.uri,
                   [&progress](int64_t bytes) {
                     progress.AddBytes(bytes);
                     return CheckInterruption();
                   });
  if (!status.ok()) return status;
  int error = 0;
  if (keeps) {
    error = KeepAttributes(source.fd.get(), to.get(), source.info);
  } else if (!is_new) {
    error = KeepModeOfReplaced(to.get(), *replaced.info);
  }
  if (error == 0 && fstat(to.get(), &info) != 0) error = errno;
  return LocalError(error, step.target.uri);
}

absl::Status AreTheSame(const Step& step) {
  return absl::InvalidArgumentError(fmt::format(
      "{} and {} are the same file", step.source.uri, step.target.uri));
}

absl::Status Copy(const Step& step, const Entry& source, const Entry& target,
                  bool replaces, Progress& progress) {
  const Replaced replaced = LookAtTarget(step, target, replaces);
  if (!replaced.status.ok()) return replaced.status;
  const Opened opened = OpenSource(step, source);
  if (!opened.status.ok()) return opened.status;
  if (replaced.info.has_value() && S_ISREG(replaced.info->st_mode)) {
    if (IsSame(*replaced.info, opened.info)) return AreTheSame(step);
    // Who may not write to it may not replace it either: cp(1) could not.
    if (faccessat(target.folder.get(), target.name.c_str(), W_OK, AT_EACCESS) !=
        0) {
      return LocalError(errno, step.target.uri);
    }
  }
  Temporary temporary(target, step.target.uri);
  struct stat made;
  absl::Status status =
      Fill(step, opened, target, replaced, false, temporary, progress, made);
  if (!status.ok()) return status;
  return LocalError(temporary.MoveTo(replaces), step.target.uri);
}

// Makes what is no file and no directory anew; 0, or an errno value.
int MakeAnew(const Entry& source, const struct stat& info, const Entry& target,
             const Temporary& temporary) {
  const int folder = target.folder.get();
  const char* const name = temporary.name();
  if (S_ISLNK(info.st_mode)) {
    std::string text(PATH_MAX, '\0');
    const ssize_t length = readlinkat(source.folder.get(), source.name.c_str(),
                                      text.data(), text.size());
    if (length < 0) return errno;
    text.resize(length);
    if (symlinkat(text.c_str(), folder, name) != 0) return errno;
  } else if (mknodat(folder, name, info.st_mode & (S_IFMT | 0777),
                     info.st_rdev) != 0) {
    return errno;
  }
  // As far as the user may.
  static_cast<void>(
      fchownat(folder, name, info.st_uid, info.st_gid, AT_SYMLINK_NOFOLLOW));
  if (!S_ISLNK(info.st_mode) &&
      fchmodat(folder, name, info.st_mode & 07777, 0) != 0) {
    return errno;
  }
  const timespec times[] = {info.st_atim, info.st_mtim};
  return utimensat(folder, name, times, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

// Deletes the source, of which `info` was said before it was copied, when the
// target is what was `made`.
absl::Status DeleteCopied(const Step& step, const Entry& source,
                          const struct stat& info, const Entry& target,
                          const struct stat& made) {
  struct stat found;
  int error = Describe(target, found);
  if (error != 0) return LocalError(error, step.target.uri);
  if (!IsSame(found, made) || found.st_size != made.st_size) {
    return absl::DataLossError(step.target.uri +
                               ": it is not what was copied there; " +
                               step.source.uri + " stays");
  }
  error = Describe(source, found);
  if (error != 0) return LocalError(error, step.source.uri);
  if (!IsUnchanged(info, found)) {
    return absl::AbortedError(step.source.uri +
                              ": it changed after it was "
                              "copied to " +
                              step.target.uri + "; it is not deleted");
  }
  if (unlinkat(source.folder.get(), source.name.c_str(), 0) == 0) {
    return absl::OkStatus();
  }
  const absl::Status deleted = LocalError(errno, step.source.uri);
  return {deleted.code(), std::string(deleted.message()) +
                              "; it is copied to " + step.target.uri};
}

// Moves to another disk.
absl::Status MoveAcross(const Step& step, const Entry& source, struct stat info,
                        const Entry& target, const Replaced& replaced,
                        bool replaces, Progress& progress) {
  Temporary temporary(target, step.target.uri);
  struct stat made;
  if (S_ISREG(info.st_mode)) {
    const Opened opened = OpenSource(step, source);
    if (!opened.status.ok()) return opened.status;
    info = opened.info;
    absl::Status status =
        Fill(step, opened, target, replaced, true, temporary, progress, made);
    if (!status.ok()) return status;
  } else {
    int error = MakeAnew(source, info, target, temporary);
    if (error == 0 && fstatat(target.folder.get(), temporary.name(), &made,
                              AT_SYMLINK_NOFOLLOW) != 0) {
      error = errno;
    }
    if (error != 0) {
      const std::string kind = SpecialKind(info.st_mode);
      return LocalError(
          error, kind.empty()
                     ? step.target.uri
                     : fmt::format("{}, {}, made anew", step.target.uri, kind));
    }
  }
  const int error = temporary.MoveTo(replaces);
  if (error != 0) return LocalError(error, step.target.uri);
  return DeleteCopied(step, source, info, target, made);
}

absl::Status Move(const Step& step, const Entry& source, const Entry& target,
                  bool replaces, Progress& progress) {
  struct stat info;
  int error = Describe(source, info);
  if (error == 0 && S_ISDIR(info.st_mode)) error = EISDIR;
  if (error != 0) return LocalError(error, step.source.uri);
  const Replaced replaced = LookAtTarget(step, target, replaces);
  if (!replaced.status.ok()) return replaced.status;
  if (replaced.info.has_value() && IsSame(*replaced.info, info)) {
    return AreTheSame(step);
  }
  const int error_of_rename =
      Rename(source.folder.get(), source.name.c_str(), target, replaces);
  if (error_of_rename == 0) {
    progress.AddBytes(step.bytes);
    return absl::OkStatus();
  }
  if (error_of_rename != EXDEV) {
    return LocalError(error_of_rename, step.source.uri);
  }
  return MoveAcross(step, source, info, target, replaced, replaces, progress);
}

// Makes what is missing above `path`. What it cannot make is missed later.
void MakeFoldersOf(const LocalTree& tree, const std::string& path) {
  constexpr mode_t kAll = 0777;
  for (size_t end = path.find('/'); end != std::string::npos;
       end = path.find('/', end + 1)) {
    const Entry entry = tree.Find(path.substr(0, end));
    if (entry.error != 0) return;
    static_cast<void>(mkdirat(entry.folder.get(), entry.name.c_str(), kAll));
  }
}

// Where `place` is or would be.
Entry FindOrMakeFolders(const Place& place) {
  Entry entry = place.tree->Find(place.path);
  if (entry.error != ENOENT) return entry;
  MakeFoldersOf(*place.tree, place.path);
  return place.tree->Find(place.path);
}

}  // namespace

absl::Status NotReplaced(const std::string& uri) {
  return absl::AlreadyExistsError(uri + ": it exists; it is not replaced");
}

bool IsLocal(const Step& step) {
  return step.source.tree != nullptr && step.target.tree != nullptr;
}

absl::Status TransferLocalFile(const Step& step, bool replaces,
                               Progress& progress) {
  const Entry source = step.source.tree->Find(step.source.path);
  if (source.error != 0) return LocalError(source.error, step.source.uri);
  const Entry target = step.target.tree->Find(step.target.path);
  if (target.error != 0) return LocalError(target.error, step.target.uri);
  return step.kind == StepKind::kCopyFile
             ? Copy(step, source, target, replaces, progress)
             : Move(step, source, target, replaces, progress);
}

absl::Status MakeLocalFile(
    const Place& target,
    const std::function<absl::Status(const std::string& uri)>& write) {
  const Entry entry = target.tree->Find(target.path);
  if (entry.error != 0) return LocalError(entry.error, target.uri);
  struct stat there;
  if (Describe(entry, there) == 0) return NotReplaced(target.uri);
  Temporary temporary(entry, target.uri);
  const size_t folder_bytes = target.uri.rfind('/') + 1;  // npos: 0
  const absl::Status written =
      write(target.uri.substr(0, folder_bytes) + temporary.name());
  return written.ok() ? LocalError(temporary.MoveTo(false), target.uri)
                      : written;
}

absl::Status MakeLocalDirectory(const Step& step,
                                std::optional<MadeDirectory>& made) {
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
    const bool is_there = error == EEXIST && Describe(entry, there) == 0 &&
                          S_ISDIR(there.st_mode);
    return is_there ? absl::OkStatus() : LocalError(error, step.target.uri);
  }
  error = Describe(entry, there);
  if (error != 0) return LocalError(error, step.target.uri);
  // Less the umask, and with the bits that the system gives it.
  const mode_t mode = there.st_mode & 07777;
  made = {info, mode};
  if ((mode & kOwnerMayWrite) != kOwnerMayWrite &&
      fchmodat(folder, name, mode | kOwnerMayWrite, 0) != 0) {
    error = errno;
  }
  return LocalError(error, step.target.uri);
}

absl::Status FinishLocalDirectory(const Step& step, const MadeDirectory& made) {
  if (!step.keeps && (made.mode & kOwnerMayWrite) == kOwnerMayWrite) {
    return absl::OkStatus();
  }
  int error = 0;
  const Descriptor to =
      step.target.tree->OpenDirectory(step.target.path, O_RDONLY, error);
  if (error != 0) return LocalError(error, step.target.uri);
  if (!step.keeps) {
    if (fchmod(to.get(), made.mode) != 0) error = errno;
    return LocalError(error, step.target.uri);
  }
  // Who may not read it has no extended attributes of it.
  const Descriptor from =
      step.source.tree->OpenDirectory(step.source.path, O_RDONLY, error);
  return LocalError(KeepAttributes(from.get(), to.get(), made.source),
                    step.target.uri);
}

int RenameLocalDirectory(const Step& step) {
  const Entry source = step.source.tree->Find(step.source.path);
  if (source.error != 0) return source.error;
  const Entry target = FindOrMakeFolders(step.target);
  if (target.error != 0) return target.error;
  struct stat info;
  const int error = Describe(source, info);
  if (error != 0) return error;
  if (!S_ISDIR(info.st_mode)) return ENOTDIR;
  const auto rename = [&](unsigned flags) {
    return renameat2(source.folder.get(), source.name.c_str(),
                     target.folder.get(), target.name.c_str(), flags) == 0
               ? 0
               : errno;
  };
  const int renamed = rename(RENAME_NOREPLACE);
  // rename(2) replaces an empty directory at most.
  return renamed == EINVAL || renamed == ENOSYS ? rename(0) : renamed;
}

}  // namespace fsload
