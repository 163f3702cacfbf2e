#include "tools/files/locations/local_contents.h"

#include <fcntl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "third_party/fmt/format.h"
#include "tools/files/locations/local_tree.h"
#include "tools/session/running_ops.h"

namespace fsload {
namespace {

constexpr size_t kBlock = size_t{1} << 20;

constexpr char kAccessList[] = "system.posix_acl_access";
constexpr char kDefaultList[] = "system.posix_acl_default";

struct Extent {
  off_t begin;
  off_t end;
};

// The next range of `fd` from `at` on that is not a hole. A file system without
// holes (such as /proc) reports all data.
Extent NextExtent(int fd, off_t at, off_t size) {
  const off_t begin = lseek(fd, at, SEEK_DATA);
  if (begin < 0) return errno == ENXIO ? Extent{size, size} : Extent{at, size};
  const off_t end = lseek(fd, begin, SEEK_HOLE);
  return {std::min(begin, size), end < 0 ? size : std::min(end, size)};
}

// Copies one block from `at` on. Yields the number of bytes, or -1; `writes`
// says whether writing failed.
ssize_t CopyBlock(int from, int to, off_t at, size_t most, char* buffer,
                  bool& writes) {
  off_t in = at;
  off_t out = at;
  const ssize_t copied = copy_file_range(from, &in, to, &out, most, 0);
  // The kernel copies nothing from /proc files and between some file systems.
  if (copied > 0) return copied;
  const ssize_t got = pread(from, buffer, std::min(most, kBlock), at);
  for (ssize_t done = 0; done < got;) {
    const ssize_t written = pwrite(to, buffer + done, got - done, at + done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      writes = true;
      return -1;
    }
    done += written;
  }
  return got;
}

// Reads a block, less only at the end of the file; -1 for an error.
ssize_t ReadBlock(int fd, char* buffer, off_t at) {
  size_t done = 0;
  while (done < kBlock) {
    const ssize_t got =
        pread(fd, buffer + done, kBlock - done, at + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    done += got;
  }
  return static_cast<ssize_t>(done);
}

// Copies extended attributes, including ACLs. Like mv(1), skips those that the
// user or the file system may not set.
void CopyExtendedAttributes(int from, int to) {
  const ssize_t length = flistxattr(from, nullptr, 0);
  if (length <= 0) return;
  std::string names(length, '\0');
  const ssize_t listed = flistxattr(from, names.data(), names.size());
  for (ssize_t next = 0; next < listed;) {
    const char* const name = names.c_str() + next;
    next += static_cast<ssize_t>(std::strlen(name)) + 1;
    const ssize_t bytes = fgetxattr(from, name, nullptr, 0);
    if (bytes < 0) continue;
    std::string value(bytes, '\0');
    if (fgetxattr(from, name, value.data(), value.size()) == bytes) {
      static_cast<void>(fsetxattr(to, name, value.data(), bytes, 0));
    }
  }
}

// What to write instead of `uri`, if that is a standard stream.
std::string_view InsteadOf(std::string_view uri) {
  if (uri == "/dev/stdin") return "; write '-' for standard input";
  if (uri == "/dev/stdout") return "; write '-' for standard output";
  return "";
}

}  // namespace

std::string SpecialKind(mode_t mode) {
  if (S_ISREG(mode) || S_ISDIR(mode) || S_ISLNK(mode)) return "";
  if (S_ISCHR(mode)) return "a character device";
  if (S_ISBLK(mode)) return "a block device";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "of an unknown type";
}

absl::Status IsSpecial(const std::string& uri, mode_t mode) {
  return FailedPreconditionError(
      "{}: is {}, not a regular file; fsload neither reads nor "
      "replaces it{}",
      uri, SpecialKind(mode), InsteadOf(uri));
}

absl::Status CopyContents(
    int from, int to, const struct stat& info, const std::string& uri,
    const std::string& target_uri,
    const std::function<absl::Status(int64_t)>& after_block) {
  const std::unique_ptr<char[]> buffer(new char[kBlock]);
  const std::string shown = uri + " -> " + target_uri;
  bool writes = false;
  off_t at = 0;
  // Files of /proc report size 0.
  const bool is_unknown = info.st_size == 0;
  const off_t size = is_unknown ? INT64_MAX : info.st_size;
  while (at < size) {
    const Extent extent =
        is_unknown ? Extent{at, size} : NextExtent(from, at, size);
    at = extent.begin;
    while (at < extent.end) {
      const size_t most = std::min<off_t>(extent.end - at, 8 * kBlock);
      ssize_t copied;
      {
        const LocalCall call("copy", shown);
        copied = CopyBlock(from, to, at, most, buffer.get(), writes);
      }
      if (copied < 0) return LocalError(errno, writes ? target_uri : uri);
      if (copied == 0) break;
      at += copied;
      absl::Status status = after_block(copied);
      if (!status.ok()) return status;
    }
    if (at < extent.end) break;
  }
  if (!is_unknown && at < size) {
    return DataLossError(
        "{}: wanted {} bytes, found {}; the file is shorter than "
        "its reported length",
        uri, size, at);
  }
  if (ftruncate(to, at) != 0) return LocalError(errno, target_uri);
  struct stat after;
  if (fstat(from, &after) != 0) return LocalError(errno, uri);
  if (IsUnchanged(info, after)) return absl::OkStatus();
  return AbortedError("{}: changed while it was copied", uri);
}

bool HaveSameContents(int a, int b) {
  const std::unique_ptr<char[]> buffer(new char[2 * kBlock]);
  char* const other = buffer.get() + kBlock;
  for (off_t at = 0;;) {
    const ssize_t of_a = ReadBlock(a, buffer.get(), at);
    const ssize_t of_b = ReadBlock(b, other, at);
    if (of_a < 0 || of_a != of_b) return false;
    if (of_a == 0) return true;
    if (std::memcmp(buffer.get(), other, of_a) != 0) return false;
    at += of_a;
  }
}

bool IsSameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool IsUnchanged(const struct stat& a, const struct stat& b) {
  const auto same = [](const timespec& x, const timespec& y) {
    return x.tv_sec == y.tv_sec && x.tv_nsec == y.tv_nsec;
  };
  return IsSameFile(a, b) && a.st_size == b.st_size &&
         same(a.st_mtim, b.st_mtim) &&
         // A name added or removed changes the status change time, but not the
         // file.
         (a.st_nlink != b.st_nlink || same(a.st_ctim, b.st_ctim));
}

// Without the access lists that it has of its folder. 0 or an errno.
int DropInheritedLists(int to, bool is_directory) {
  for (const char* const list : {kAccessList, kDefaultList}) {
    if (list == kDefaultList && !is_directory) continue;
    if (fremovexattr(to, list) != 0 && errno != ENODATA && errno != ENOTSUP) {
      return errno;
    }
  }
  return 0;
}

int KeepAttributes(int from, int to, const struct stat& info) {
  mode_t mode = info.st_mode & 07777;
  if (fchown(to, info.st_uid, info.st_gid) != 0) {
    struct stat made;
    if (fstat(to, &made) != 0) return errno;
    if (made.st_uid != info.st_uid) mode &= ~mode_t{S_ISUID};
    if (made.st_gid != info.st_gid && fchown(to, -1, info.st_gid) != 0) {
      mode &= ~mode_t{S_ISGID};
    }
  }
  const int error = DropInheritedLists(to, S_ISDIR(info.st_mode));
  if (error != 0) return error;
  CopyExtendedAttributes(from, to);
  if (fchmod(to, mode) != 0) return errno;
  const timespec times[] = {info.st_atim, info.st_mtim};
  return futimens(to, times) == 0 ? 0 : errno;
}

int FindRights(int folder, const std::string& name, FileRights& rights) {
  // No system call takes a folder and a name, and the file may be unreadable.
  const std::string path =
      folder == AT_FDCWD ? name : Format("/proc/self/fd/{}/{}", folder, name);
  const ssize_t length = lgetxattr(path.c_str(), kAccessList, nullptr, 0);
  if (length < 0) return errno == ENODATA || errno == ENOTSUP ? 0 : errno;
  rights.list.resize(length);
  const ssize_t got = lgetxattr(path.c_str(), kAccessList, rights.list.data(),
                                rights.list.size());
  return got == length ? 0 : got < 0 ? errno : EAGAIN;
}

int KeepRightsOfReplaced(int to, const FileRights& replaced) {
  mode_t mode = replaced.info.st_mode & 07777;
  struct stat made;
  if (fstat(to, &made) != 0) return errno;
  if (fchown(to, replaced.info.st_uid, replaced.info.st_gid) != 0) {
    if (made.st_uid != replaced.info.st_uid) mode &= ~mode_t{S_ISUID};
    if (fchown(to, -1, replaced.info.st_gid) != 0) mode &= ~mode_t{S_ISGID};
  }
  if (replaced.list.empty()) {
    const int error = DropInheritedLists(to, false);
    if (error != 0) return error;
  } else if (fsetxattr(to, kAccessList, replaced.list.data(),
                       replaced.list.size(), 0) != 0) {
    return errno;
  }
  return fchmod(to, mode) == 0 ? 0 : errno;
}

}  // namespace fsload
