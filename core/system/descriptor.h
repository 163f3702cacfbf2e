// A file descriptor that is closed with its owner.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

namespace fsload {

// Movable. One thread at a time.
class Descriptor final {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ < 0) return;
    const int error = errno;  // of what failed before
    close(fd_);
    errno = error;
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  bool ok() const { return fd_ >= 0; }
  int get() const { return fd_; }

  // Returns 0 or an errno value. Network file systems, and those with quotas,
  // may report only here that written data is lost.
  int Close() { return close(Release()) == 0 ? 0 : errno; }

  // Gives the descriptor to the caller.
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

// Opens a file of whatever type to be read: a pipe without a writer does not
// block. Not ok, with errno, if that fails.
inline Descriptor OpenToRead(const std::string& path) {
  return Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

}  // namespace fsload
