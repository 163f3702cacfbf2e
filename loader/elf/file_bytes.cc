#include "loader/elf/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>

namespace fsload {
namespace {

constexpr size_t kBlock = size_t{1} << 16;
constexpr off_t kMaxBytes = off_t{2} << 30;

// Zeroed address space for `size` bytes, which uses no memory until it is
// written to. On failure returns null and sets errno.
char* Reserve(size_t size) {
  void* const memory =
      mmap(nullptr, std::max<size_t>(size, 1), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

}  // namespace

std::unique_ptr<FileBytes> FileBytes::Open(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return nullptr;
  struct stat file;
  char* contents = nullptr;
  if (fstat(fd, &file) == 0) {
    if (!S_ISREG(file.st_mode)) {
      errno = S_ISDIR(file.st_mode) ? EISDIR : EINVAL;
    } else if (file.st_size > kMaxBytes) {
      errno = EFBIG;
    } else {
      contents = Reserve(file.st_size);
    }
  }
  if (contents == nullptr) {
    const int error = errno;
    close(fd);
    errno = error;
    return nullptr;
  }
  return std::unique_ptr<FileBytes>(
      new FileBytes(fd, {file.st_dev, file.st_ino}, contents, file.st_size));
}

FileBytes::FileBytes(int fd, Identity identity, char* contents, size_t size)
    : fd_(fd),
      identity_(identity),
      contents_(contents),
      size_(size),
      fetched_((size + kBlock - 1) / kBlock) {}

FileBytes::~FileBytes() {
  munmap(contents_, std::max<size_t>(size_, 1));
  close(fd_);
}

void FileBytes::Fetch(size_t offset, size_t size) {
  if (offset >= size_ || size == 0) return;
  const size_t last = offset + std::min(size, size_ - offset) - 1;
  for (size_t block = offset / kBlock; block <= last / kBlock; ++block) {
    if (!fetched_[block]) FetchBlock(block);
  }
}

void FileBytes::FetchBlock(size_t block) {
  fetched_[block] = true;
  size_t offset = block * kBlock;
  const size_t end = std::min(offset + kBlock, size_);
  while (offset < end) {
    const ssize_t got = pread(fd_, contents_ + offset, end - offset,
                              static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    offset += got;
  }
}

}  // namespace fsload
