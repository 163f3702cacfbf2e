#include "loader/trust/private_copy.h"

#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/system/memory_file.h"
#include "loader/trust/base_name.h"
#include "loader/trust/file_errors.h"
#include "loader/trust/file_owners.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr off_t kMaxBytes = off_t{2} << 30;

// Copies at most `size` bytes; returns how many there were, -1 on an error.
// Reading and writing, writing to a mapping, reserving the space first, and two
// threads were each at most 5 % faster: most of the time goes into allocating
// pages.
ssize_t CopyFile(int from, int to, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t copied = sendfile(to, from, nullptr, size - done);
    if (copied < 0 && errno == EINTR) continue;
    if (copied < 0) return -1;
    if (copied == 0) break;
    done += copied;
  }
  return static_cast<ssize_t>(done);
}

// Two words, each of which is enough. The change time (ctime) alone also
// changes with links, names and modes of the file. Inodes alone are renumbered
// by some network file systems and FUSE; devices too, and they are not used.
std::string IdentityOf(const struct stat& file) {
  return Format("{0}:{1}.{2:09} {0}:{3}.{4:09}:{5}", file.st_size,
                file.st_ctim.tv_sec, file.st_ctim.tv_nsec, file.st_mtim.tv_sec,
                file.st_mtim.tv_nsec, file.st_ino);
}

// Reads the attributes of an open file; refuses all but a regular file of sane
// size.
bool CheckFile(int fd, struct stat& file, Findings& findings) {
  if (fd < 0 || fstat(fd, &file) != 0) {
    const int error = errno;
    const bool missing = error == ENOENT || error == ENOTDIR;
    findings.AddRefusal(missing ? RuleId::kFileExists : RuleId::kReadable,
                        error, UnreadableFile(error));
    return false;
  }
  if (!S_ISREG(file.st_mode)) {
    findings.Add(RuleId::kRegularFile, NotRegularFile(S_ISDIR(file.st_mode)));
    return false;
  }
  if (file.st_size > kMaxBytes) {
    findings
        .Add(RuleId::kFileSize,
             Format("wanted at most {} bytes, found {}; it is not "
                    "copied",
                    kMaxBytes, file.st_size))
        .numbers = Numbers{kMaxBytes, file.st_size};
    return false;
  }
  return true;
}

}  // namespace

void AddCopyRefusal(std::string_view call, Findings& findings) {
  const int error = errno;
  findings.AddRefusal(
      RuleId::kPrivateCopy, error,
      Format("cannot make a private copy of the plugin: {}: {}; it is not "
             "loaded from a file that others can change",
             call, strerror(error)));
}

bool IsSameFile(std::string_view identity, std::string_view other) {
  const size_t end = identity.find(' ');
  const size_t other_end = other.find(' ');
  if (end == std::string_view::npos || other_end == std::string_view::npos)
    return false;
  return identity.substr(0, end) == other.substr(0, other_end) ||
         identity.substr(end) == other.substr(other_end);
}

std::unique_ptr<PrivateCopy> PrivateCopy::New(std::string_view name,
                                              Findings& findings) {
  // The kernel keeps 249 bytes of a name.
  const std::string kept = "fsload:" + std::string(name.substr(0, 200));
  Descriptor file(CreateMemoryFile(kept));
  if (!file.ok()) {
    AddCopyRefusal("memfd_create", findings);
    return nullptr;
  }
  std::unique_ptr<PrivateCopy> copy(new PrivateCopy(name, std::move(file)));
  if (access(copy->path().c_str(), F_OK) != 0) {
    findings.Add(RuleId::kPrivateCopy,
                 "/proc is not mounted, and the private copy of the plugin can "
                 "only be opened there; mount /proc");
    return nullptr;
  }
  return copy;
}

std::unique_ptr<PrivateCopy> PrivateCopy::OfFile(const std::string& path,
                                                 Findings& findings) {
  const Descriptor opened = OpenToRead(path);
  const int from = opened.get();
  struct stat file;
  std::unique_ptr<PrivateCopy> copy;
  if (CheckFile(from, file, findings)) {
    CheckOwners(from, path, findings);
    copy = New(BaseName(path), findings);
  }
  if (copy != nullptr) {
    copy->file_identity_ = IdentityOf(file);
    const ssize_t size = CopyFile(from, copy->file_.get(), file.st_size);
    if (size < 0) AddCopyRefusal("sendfile", findings);
    if (size < 0 || !copy->Map(size, findings)) copy = nullptr;
  }
  return copy;
}

std::unique_ptr<PrivateCopy> PrivateCopy::OfBytes(std::string_view name,
                                                  absl::Span<const char> bytes,
                                                  Findings& findings) {
  std::unique_ptr<PrivateCopy> copy = New(name, findings);
  if (copy == nullptr) return nullptr;
  if (!WriteAt(copy->file_.get(), {bytes.data(), bytes.size()}, 0)) {
    AddCopyRefusal("pwrite", findings);
    return nullptr;
  }
  return copy->Map(bytes.size(), findings) ? std::move(copy) : nullptr;
}

std::unique_ptr<PrivateCopy> PrivateCopy::CopyOfOrigin(
    Findings& findings) const {
  return OfBytes(name_, Original(0, size_), findings);
}

// A private mapping: a shared one would prevent sealing.
bool PrivateCopy::Map(size_t size, Findings& findings) {
  size_ = size;
  if (size == 0) return true;
  void* const mapping =
      mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_.get(), 0);
  if (mapping == MAP_FAILED) {
    AddCopyRefusal("mmap", findings);
    return false;
  }
  contents_ = static_cast<const char*>(mapping);
  return true;
}

PrivateCopy::~PrivateCopy() {
  if (contents_ != nullptr) munmap(const_cast<char*>(contents_), size_);
}

bool PrivateCopy::Overwrite(size_t offset, std::string_view text) {
  changes_.push_back({offset, Original(offset, text.size())});
  return WriteAt(file_.get(), text, offset);
}

bool PrivateCopy::Seal() { return SealMemoryFile(file_.get()); }

std::string PrivateCopy::path() const {
  return Format("/proc/{}/fd/{}", getpid(), file_.get());
}

std::string PrivateCopy::Original(size_t offset, size_t size) const {
  std::string text(contents_ + offset, size);
  // The first change of a byte has its original value.
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    const size_t begin = std::max(offset, change->offset);
    const size_t end = std::min(offset + size, change->end());
    if (begin >= end) continue;
    text.replace(begin - offset, end - begin, change->original,
                 begin - change->offset, end - begin);
  }
  return text;
}

bool PrivateCopy::HasSameOrigin(const PrivateCopy& other) const {
  if (size_ != other.size_) return false;
  constexpr size_t kBlock = size_t{1} << 20;
  for (size_t offset = 0; offset < size_; offset += kBlock) {
    const size_t size = std::min(kBlock, size_ - offset);
    if (std::memcmp(contents_ + offset, other.contents_ + offset, size) == 0 &&
        changes_.empty() && other.changes_.empty()) {
      continue;
    }
    if (Original(offset, size) != other.Original(offset, size)) return false;
  }
  return true;
}

}  // namespace fsload
