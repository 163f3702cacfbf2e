#include "loader/elf/file_bytes.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <utility>

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
  Descriptor file = OpenToRead(path);
  struct stat status;
  if (!file.ok() || fstat(file.get(), &status) != 0) return nullptr;
  if (!S_ISREG(status.st_mode)) {
    errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    return nullptr;
  }
  if (status.st_size > kMaxBytes) {
    errno = EFBIG;
    return nullptr;
  }
  char* const contents = Reserve(status.st_size);
  if (contents == nullptr) return nullptr;
  return std::unique_ptr<FileBytes>(
      new FileBytes(std::move(file), {status.st_dev, status.st_ino}, contents,
                    status.st_size));
}

FileBytes::FileBytes(Descriptor file, Identity identity, char* contents,
                     size_t size)
    : file_(std::move(file)),
      identity_(identity),
      contents_(contents),
      size_(size),
      fetched_((size + kBlock - 1) / kBlock) {}

FileBytes::~FileBytes() { munmap(contents_, std::max<size_t>(size_, 1)); }

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
    const ssize_t got = pread(file_.get(), contents_ + offset, end - offset,
                              static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    offset += got;
  }
}

}  // namespace fsload
