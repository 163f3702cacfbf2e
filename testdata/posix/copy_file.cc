#include <fcntl.h>
#include <libgen.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "testdata/posix/descriptor.h"
#include "testdata/posix/ops.h"
#include "testdata/posix/path_error.h"

namespace posix_plugin {
namespace {

constexpr size_t kMaxBytesAtOnce = size_t{1} << 30;
constexpr size_t kBufferBytes = size_t{1} << 18;

std::string FolderOf(std::string path) { return dirname(path.data()); }
std::string NameOf(std::string path) { return basename(path.data()); }

// The path of the copy: inside `dst` if that is a directory (L526); a symlink's
// target, as the file itself is replaced. "", with errno, if a symlink leads
// nowhere.
std::string Target(const std::string& src, const std::string& dst) {
  std::string target = dst;
  struct stat info;
  if (stat(dst.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    target += "/" + NameOf(src);
  }
  const std::unique_ptr<char, void (*)(void*)> real(
      realpath(target.c_str(), nullptr), std::free);
  if (real != nullptr) return real.get();
  const int error = errno;
  const bool is_link =
      lstat(target.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
  errno = error;
  return is_link ? "" : target;
}

int WriteAll(int fd, const char* bytes, size_t n) {
  while (n > 0) {
    const ssize_t written = write(fd, bytes, n);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    bytes += written;
    n -= written;
  }
  return 0;
}

// Copies from both current positions to the end of `from`; 0 or an errno value.
int CopyBytes(int from, int to) {
  while (copy_file_range(from, nullptr, to, nullptr, kMaxBytesAtOnce, 0) > 0) {
  }
  // Either done, or the kernel cannot copy this by itself (two devices, files
  // of /proc). An error recurs here.
  std::vector<char> buffer(kBufferBytes);
  for (;;) {
    const ssize_t got = read(from, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return 0;
    const int error = WriteAll(to, buffer.data(), got);
    if (error != 0) return error;
  }
}

// Creates a file beside `target` with `mode` less the umask, and sets its name;
// -1 and errno on failure.
int CreateBeside(const std::string& target, mode_t mode, std::string* name) {
  constexpr int kTries = 8;
  for (int i = 0; i < kTries; ++i) {
    uint64_t number = 0;
    if (getrandom(&number, sizeof(number), 0) != sizeof(number)) return -1;
    *name =
        FolderOf(target) + "/.fsload-copy-" + std::to_string(number % 1000000);
    const int fd =
        open(name->c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

// Writes the file `temporary`, open as `fd`, and renames it to `target` once
// closing it has told that all is stored.
int FillAndRename(int from, Descriptor& fd, const std::string& temporary,
                  const std::string& target) {
  const int error = CopyBytes(from, fd.get());
  if (error != 0) return error;
  if (close(fd.release()) != 0) return errno;
  return rename(temporary.c_str(), target.c_str()) == 0 ? 0 : errno;
}

// L523: writes the copy beside the target and then renames it, so that an error
// leaves the old file, whose mode is that of `old`; null: there is none.
int Replace(int from, mode_t mode, const struct stat* old,
            const std::string& target) {
  std::string temporary;
  // For this user alone until it has the old one's mode.
  Descriptor fd(CreateBeside(target, old != nullptr ? 0600 : mode, &temporary));
  if (fd.get() < 0) return errno;
  int error = 0;
  if (old != nullptr && fchmod(fd.get(), old->st_mode & 0777) != 0) {
    error = errno;
  }
  if (error == 0) error = FillAndRename(from, fd, temporary, target);
  if (error != 0) unlink(temporary.c_str());
  return error;
}

int Copy(const char* src, const char* dst) {
  const Descriptor from(OpenWithoutWaiting(src, O_RDONLY));
  if (from.get() < 0) return errno;
  struct stat source;
  const int error = DescribeFile(from.get(), &source);
  if (error != 0) return error;
  // EINVAL could mean that the name is wrong.
  if (!S_ISREG(source.st_mode)) return EPERM;
  const std::string target = Target(src, dst);
  if (target.empty()) return errno;
  struct stat old;
  const bool is_there = stat(target.c_str(), &old) == 0;
  if (is_there) {
    if (S_ISDIR(old.st_mode)) return EISDIR;
    // Two names of one file, which already are equal.
    if (old.st_dev == source.st_dev && old.st_ino == source.st_ino) return 0;
    // A device or a pipe is not a replaceable file.
    if (!S_ISREG(old.st_mode)) return EPERM;
    // Replacing it needs no right to write to it.
    if (faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) {
      return errno;
    }
  }
  return Replace(from.get(), source.st_mode, is_there ? &old : nullptr, target);
}

}  // namespace

void CopyFile(const TF_Filesystem*, const char* src, const char* dst,
              TF_Status* status) {
  const std::string context = std::string(src) + " to " + dst;
  SetPathStatus(Copy(src, dst), context.c_str(), status);
}

}  // namespace posix_plugin
