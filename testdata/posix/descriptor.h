// A file descriptor that is closed with its owner.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace posix_plugin {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }

  // Gives the descriptor to the caller.
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }

 private:
  int fd_;
};

// Opens `path` with `flags`, retrying after signals; -1 and errno on failure.
inline int OpenFile(const char* path, int flags) {
  int fd;
  do {
    // 0666 less the umask, as is customary.
    fd = open(path, flags | O_CLOEXEC, 0666);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

// Does the same without waiting for the other end of a pipe. What it returns
// has O_NONBLOCK.
inline int OpenWithoutWaiting(const char* path, int flags) {
  const int fd = OpenFile(path, flags | O_NONBLOCK);
  struct stat info;
  if (fd >= 0 || errno != EAGAIN || stat(path, &info) != 0 ||
      !S_ISREG(info.st_mode)) {
    return fd;
  }
  return OpenFile(path, flags);  // another system has a lease on the file
}

// fstat into `info`; 0 or an errno value, which is EISDIR for a directory.
inline int DescribeFile(int fd, struct stat* info) {
  if (fstat(fd, info) != 0) return errno;
  return S_ISDIR(info->st_mode) ? EISDIR : 0;
}

}  // namespace posix_plugin
