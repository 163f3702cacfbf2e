#include "tools/files/transfer/local_transfer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/calls/plugin_call.h"
#include "core/copies/mtime_granularity.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_contents.h"
#include "tools/files/locations/local_tree.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/transfer/local_directories.h"
#include "tools/files/transfer/temporary_file.h"
#include "tools/session/interruption.h"
#include "tools/session/running_ops.h"

namespace fsload {
namespace {

using Entry = LocalTree::Entry;

// What is to be replaced; none if nothing is there.
using Replaced = std::optional<FileRights>;

absl::StatusOr<Replaced> FindReplaced(const Step& step, const Entry& target,
                                      bool replaces) {
  const std::string& uri = step.target.uri;
  FileRights found;
  int error = DescribeEntry(target, found.info);
  if (error == ENOENT) return std::nullopt;
  if (error != 0) return LocalError(error, uri);
  if (!replaces) return NotReplaced(uri);
  if (S_ISDIR(found.info.st_mode)) return LocalError(EISDIR, uri);
  // A symlink is replaced itself, but not one to a device.
  struct stat behind = found.info;
  if (S_ISLNK(found.info.st_mode) &&
      fstatat(target.folder.get(), target.name.c_str(), &behind, 0) != 0) {
    behind = found.info;
  }
  if (!SpecialKind(behind.st_mode).empty()) {
    return IsSpecial(uri, behind.st_mode);
  }
  if (!S_ISREG(found.info.st_mode)) return found;
  error = FindRights(target.folder.get(), target.name, found);
  if (error != 0) return LocalError(error, uri);
  return found;
}

// Waits until a write to the open file would show in `info`, which is updated.
absl::Status WaitForWriter(const Step& step, int fd, struct stat& info) {
  const auto report_error = [&]() -> absl::StatusOr<int64_t> {
    const absl::Status status = CheckInterruption();
    if (!status.ok()) return status;
    const LocalCall call("stat", step.source.uri);
    if (fstat(fd, &info) != 0) return LocalError(errno, step.source.uri);
    // A writer can reset the modification time, but not the status change time,
    // which also changes when the file gains or loses a name.
    return NanosecondsOf(info.st_nlink > 1 ? info.st_mtim : info.st_ctim);
  };
  const absl::StatusOr<bool> has_new_mtime =
      WaitForNewMtime(true, report_error);
  if (!has_new_mtime.ok()) return has_new_mtime.status();
  return *has_new_mtime
             ? absl::OkStatus()
             : AbortedError("{}: {}", step.source.uri, kKeepsChanging);
}

// The source of a step, opened for reading.
struct Opened {
  Descriptor fd;
  struct stat info = {};
};

absl::StatusOr<Opened> OpenSource(const Step& step, const Entry& source) {
  Opened opened;
  std::optional<LocalCall> call(std::in_place, "open", step.source.uri);
  const bool follows = step.source.tree->links() == Links::kFollowed;
  // Checked before opening, which may have an effect on a device.
  const int folder = source.folder.get();
  const char* const name = source.name.c_str();
  if (fstatat(folder, name, &opened.info, follows ? 0 : AT_SYMLINK_NOFOLLOW) !=
      0) {
    return LocalError(errno, step.source.uri);
  }
  if (SpecialKind(opened.info.st_mode).empty()) {
    opened.fd = Descriptor(
        openat(folder, name,
               O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW)));
    if (!opened.fd.ok() || fstat(opened.fd.get(), &opened.info) != 0) {
      return LocalError(errno, step.source.uri);
    }
  }
  call.reset();
  const mode_t mode = opened.info.st_mode;
  if (S_ISDIR(mode)) return LocalError(EISDIR, step.source.uri);
  if (!S_ISREG(mode)) return IsSpecial(step.source.uri, mode);
  const absl::Status settled =
      WaitForWriter(step, opened.fd.get(), opened.info);
  if (!settled.ok()) return settled;
  return opened;
}

using AfterBlock = std::function<absl::Status(int64_t bytes)>;

AfterBlock Counting(Progress& progress) {
  return [&progress](int64_t bytes) {
    progress.AddBytes(bytes);
    return CheckInterruption();
  };
}

// Copies the source's contents to the temporary file, and updates `info`.
absl::Status Fill(const Step& step, const Opened& source, const Entry& target,
                  const Replaced& replaced, bool keeps,
                  TemporaryFile& temporary, const AfterBlock& after_block,
                  struct stat& info) {
  std::optional<LocalCall> call(std::in_place, "open", step.target.uri);
  const bool is_new =
      !keeps && (!replaced.has_value() || !S_ISREG(replaced->info.st_mode));
  Descriptor to(openat(target.folder.get(), temporary.name(),
                       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                       is_new ? source.info.st_mode & 0777 : 0600));
  if (!to.ok()) return LocalError(errno, step.target.uri);
  call.reset();
  absl::Status status =
      CopyContents(source.fd.get(), to.get(), source.info, step.source.uri,
                   step.target.uri, after_block);
  if (!status.ok()) return status;
  // Writes the last blocks, on some disks.
  call.emplace("close", step.target.uri);
  int error = 0;
  if (keeps) {
    error = KeepAttributes(source.fd.get(), to.get(), source.info);
  } else if (!is_new) {
    error = KeepRightsOfReplaced(to.get(), *replaced);
  }
  if (error == 0 && fstat(to.get(), &info) != 0) error = errno;
  // Before anything is replaced or deleted.
  const int error_of_close = to.Close();
  return LocalError(error != 0 ? error : error_of_close, step.target.uri);
}

absl::Status Copy(const Step& step, const Entry& source, const Entry& target,
                  bool replaces, WrittenFiles& placed, Progress& progress) {
  const absl::StatusOr<Replaced> replaced =
      FindReplaced(step, target, replaces);
  if (!replaced.ok()) return replaced.status();
  const absl::StatusOr<Opened> opened = OpenSource(step, source);
  if (!opened.ok()) return opened.status();
  if (replaced->has_value() && S_ISREG((*replaced)->info.st_mode)) {
    if (IsSameFile((*replaced)->info, opened->info)) {
      return AreTheSame(step.source, step.target);
    }
    const absl::Status writable = CheckWritable(target, step.target.uri);
    if (!writable.ok()) return writable;
  }
  TemporaryFile temporary(target, step.target.uri);
  struct stat made;
  const absl::Status status = Fill(step, *opened, target, *replaced, false,
                                   temporary, Counting(progress), made);
  return status.ok() ? temporary.MoveTo(replaces, placed) : status;
}

// What a symlink leads to; "" if it cannot be read.
std::string TextOfLink(const Entry& link) {
  std::string text(PATH_MAX, '\0');
  const ssize_t length = readlinkat(link.folder.get(), link.name.c_str(),
                                    text.data(), text.size());
  text.resize(length < 0 ? 0 : length);
  return text;
}

// Recreates what is neither a file nor a directory; 0 or an errno value.
int MakeAnew(const Entry& source, const struct stat& info, const Entry& target,
             const TemporaryFile& temporary) {
  const int folder = target.folder.get();
  const char* const name = temporary.name();
  if (S_ISLNK(info.st_mode)) {
    const std::string text = TextOfLink(source);
    if (text.empty()) return errno;
    if (symlinkat(text.c_str(), folder, name) != 0) return errno;
  } else if (mknodat(folder, name, info.st_mode & (S_IFMT | 0777),
                     info.st_rdev) != 0) {
    return errno;
  }
  // As far as the user may.
  [[maybe_unused]] const int ignored =
      fchownat(folder, name, info.st_uid, info.st_gid, AT_SYMLINK_NOFOLLOW);
  if (!S_ISLNK(info.st_mode) &&
      fchmodat(folder, name, info.st_mode & 07777, 0) != 0) {
    return errno;
  }
  const timespec times[] = {info.st_atim, info.st_mtim};
  return utimensat(folder, name, times, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

// Whether `target` holds what `source`, opened as `fd` if it is a file, does.
bool HoldsTheSame(const Entry& source, const struct stat& info, int fd,
                  const Entry& target) {
  if (S_ISREG(info.st_mode)) {
    const Descriptor copy(
        openat(target.folder.get(), target.name.c_str(),
               O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
    return copy.ok() && HaveSameContents(fd, copy.get());
  }
  struct stat made;
  if (DescribeEntry(target, made) != 0) return false;
  if (S_ISLNK(info.st_mode)) {
    return S_ISLNK(made.st_mode) && TextOfLink(source) == TextOfLink(target);
  }
  return made.st_mode == info.st_mode && made.st_rdev == info.st_rdev;
}

// Deletes the source, described by `info` before the copy and opened as `fd` if
// it is a file, if the target is the file that was `made`.
absl::Status DeleteCopied(const Step& step, const Entry& source,
                          const struct stat& info, int fd, const Entry& target,
                          const struct stat& made) {
  struct stat found;
  int error = DescribeEntry(target, found);
  if (error != 0) return LocalError(error, step.target.uri);
  // Some disks (FUSE) number files by their paths, so that a rename changes it.
  const bool is_copy =
      found.st_size == made.st_size &&
      (IsSameFile(found, made) || HoldsTheSame(source, info, fd, target));
  if (!is_copy) {
    return DataLossError("{}: differs from what was copied; {} is kept",
                         step.target.uri, step.source.uri);
  }
  error = DescribeEntry(source, found);
  if (error != 0) return LocalError(error, step.source.uri);
  if (!IsUnchanged(info, found)) {
    return AbortedError(
        "{}: changed after it was copied to {}; it is not deleted",
        step.source.uri, step.target.uri);
  }
  const LocalCall call("unlink", step.source.uri);
  if (unlinkat(source.folder.get(), source.name.c_str(), 0) == 0) {
    return absl::OkStatus();
  }
  const absl::Status deleted = LocalError(errno, step.source.uri);
  return {deleted.code(), std::string(deleted.message()) +
                              "; it has been copied to " + step.target.uri};
}

// Puts the deleted source, still open, to the target again if that has gone
// with it: one disk may be mounted in two places, and take `x` for `X`. Opens
// the target to find out, as its name may be in a cache.
absl::Status PutBackIfGone(const Step& step, const Opened& source,
                           const Entry& target) {
  const Descriptor copy(openat(target.folder.get(), target.name.c_str(),
                               O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  if (copy.ok() || (errno != ENOENT && errno != ESTALE)) {
    return absl::OkStatus();
  }
  TemporaryFile temporary(target, step.target.uri);
  struct stat made;
  WrittenFiles none;
  Opened again = {Descriptor(dup(source.fd.get())), source.info};
  // The deletion has changed it.
  if (fstat(again.fd.get(), &again.info) != 0) again.info = source.info;
  // Not to be interrupted: no other copy is left.
  const auto go_on = [](int64_t) { return absl::OkStatus(); };
  absl::Status status =
      Fill(step, again, target, {}, true, temporary, go_on, made);
  if (status.ok()) status = temporary.MoveTo(true, none);
  if (status.ok()) return status;
  return WithText(status, step.source.uri + " was the same file, and is lost");
}

// Moves to another disk.
absl::Status MoveAcross(const Step& step, const Entry& source, struct stat info,
                        const Entry& target, const Replaced& replaced,
                        bool replaces, WrittenFiles& placed,
                        Progress& progress) {
  TemporaryFile temporary(target, step.target.uri);
  struct stat made;
  Opened opened;
  if (S_ISREG(info.st_mode)) {
    absl::StatusOr<Opened> found = OpenSource(step, source);
    if (!found.ok()) return found.status();
    opened = *std::move(found);
    info = opened.info;
    absl::Status status = Fill(step, opened, target, replaced, true, temporary,
                               Counting(progress), made);
    if (!status.ok()) return status;
  } else {
    int error = MakeAnew(source, info, target, temporary);
    if (error == 0 && fstatat(target.folder.get(), temporary.name(), &made,
                              AT_SYMLINK_NOFOLLOW) != 0) {
      error = errno;
    }
    if (error != 0) {
      const std::string kind = SpecialKind(info.st_mode);
      return LocalError(error, kind.empty() ? step.target.uri
                                            : Format("{}, {}, recreated",
                                                     step.target.uri, kind));
    }
  }
  const absl::Status moved = temporary.MoveTo(replaces, placed);
  if (!moved.ok()) return moved;
  const absl::Status deleted =
      DeleteCopied(step, source, info, opened.fd.get(), target, made);
  if (!deleted.ok() || !opened.fd.ok()) return deleted;
  return PutBackIfGone(step, opened, target);
}

absl::Status Move(const Step& step, const Entry& source, const Entry& target,
                  bool replaces, WrittenFiles& placed, Progress& progress) {
  struct stat info;
  int error = DescribeEntry(source, info);
  if (error == 0 && S_ISDIR(info.st_mode)) error = EISDIR;
  if (error != 0) return LocalError(error, step.source.uri);
  const absl::StatusOr<Replaced> replaced =
      FindReplaced(step, target, replaces);
  if (!replaced.ok()) return replaced.status();
  if (replaced->has_value() && IsSameFile((*replaced)->info, info)) {
    return AreTheSame(step.source, step.target);
  }
  const int error_of_rename = RenameEntry(source, target, replaces, placed);
  if (error_of_rename == 0) {
    progress.AddBytes(step.bytes);
    return absl::OkStatus();
  }
  if (error_of_rename == EEXIST) return NotReplaced(step.target.uri);
  if (error_of_rename != EXDEV) {
    return LocalError(
        error_of_rename,
        step.source.uri + ": cannot be renamed to " + step.target.uri);
  }
  return MoveAcross(step, source, info, target, *replaced, replaces, placed,
                    progress);
}

}  // namespace

absl::Status TransferLocalFile(const Step& step, bool replaces,
                               WrittenFiles& placed, Progress& progress) {
  const Entry source = step.source.tree->Find(step.source.path);
  if (source.error != 0) return LocalError(source.error, step.source.uri);
  const Entry target = step.target.tree->Find(step.target.path);
  if (target.error == ENOENT) return NoDirectoryFor(step.target.uri);
  if (target.error != 0) return LocalError(target.error, step.target.uri);
  return step.kind == StepKind::kCopyFile
             ? Copy(step, source, target, replaces, placed, progress)
             : Move(step, source, target, replaces, placed, progress);
}

}  // namespace fsload
