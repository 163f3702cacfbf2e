#include "tools/files/locations/local_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "compat/io_error.h"
#include "core/paths/path.h"
#include "tools/session/running_ops.h"

namespace fsload {
namespace {

constexpr int kWay = O_PATH | O_DIRECTORY | O_CLOEXEC;

int OpenAt(int folder, const char* path, int flags) {
  int fd;
  do {
    fd = openat(folder, path, flags);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

// Uses openat2 if the kernel has it and no filter blocks it; else -1 and
// ENOSYS. EAGAIN during a concurrent rename.
int OpenBeneath(int folder, const char* path, int flags) {
  // The default order; relaxed would do: who sees it late asks once more.
  static std::atomic<bool> is_missing{false};
  if (is_missing) {
    errno = ENOSYS;
    return -1;
  }
  constexpr int kTries = 16;
  open_how how = {};
  how.flags = static_cast<uint64_t>(flags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  int64_t fd = -1;
  for (int tries = 0; tries < kTries; ++tries) {
    fd = syscall(SYS_openat2, folder, path, &how, sizeof(how));
    if (fd >= 0 || (errno != EAGAIN && errno != EINTR)) break;
  }
  if (fd < 0 && (errno == ENOSYS || errno == EPERM || errno == EAGAIN)) {
    if (errno != EAGAIN) is_missing = true;
    errno = ENOSYS;
  }
  return static_cast<int>(fd);
}

// The names in a directory, in little memory: there may be millions.
class Names {
 public:
  Names(DIR* folder, const std::string& shown) {
    for (;;) {
      const LocalCall call("readdir", shown);
      errno = 0;
      const dirent* const found = readdir(folder);
      if (found == nullptr) break;
      const char* const name = found->d_name;
      if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
      begins_.push_back(text_.size());
      text_.append(name).push_back('\0');
    }
    error_ = errno;
    std::sort(begins_.begin(), begins_.end(), [this](size_t a, size_t b) {
      return std::strcmp(&text_[a], &text_[b]) > 0;
    });
  }

  int error() const { return error_; }

  size_t size() const { return begins_.size(); }
  // From the last to the first by their bytes.
  const char* operator[](size_t i) const { return &text_[begins_[i]]; }

 private:
  std::string text_;
  std::vector<size_t> begins_;
  int error_ = 0;
};

// The same, component by component.
int OpenPartByPart(int folder, std::string_view path, int flags) {
  Descriptor at;
  while (!path.empty()) {
    const std::string part(path.substr(0, path.find('/')));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    Descriptor next(OpenAt(at.ok() ? at.get() : folder, part.c_str(),
                           (path.empty() ? flags : kWay) | O_NOFOLLOW));
    if (!next.ok()) return -1;
    at = std::move(next);
  }
  return at.Release();
}

}  // namespace

std::shared_ptr<const LocalTree> LocalTree::Open(const std::string& path,
                                                 Links links, int& error) {
  const LocalCall call("open", path);
  Descriptor root(OpenAt(AT_FDCWD, path.c_str(), kWay));
  error = root.ok() ? 0 : errno;
  if (!root.ok()) return nullptr;
  return std::shared_ptr<const LocalTree>(
      new LocalTree(std::move(root), path, links));
}

std::string LocalTree::Shown(std::string_view path) const {
  return JoinPath(path_, path);
}

Descriptor LocalTree::OpenPiece(int folder, const std::string& piece,
                                int flags) const {
  if (links_ == Links::kFollowed) {
    return Descriptor(OpenAt(folder, piece.c_str(), flags));
  }
  const int fd = OpenBeneath(folder, piece.c_str(), flags);
  if (fd >= 0 || errno != ENOSYS) return Descriptor(fd);
  return Descriptor(OpenPartByPart(folder, piece, flags));
}

Descriptor LocalTree::OpenDirectory(std::string_view path, int flags,
                                    int& error) const {
  const LocalCall call("open", Shown(path));
  flags |= O_DIRECTORY | O_CLOEXEC;
  error = 0;
  Descriptor at;
  std::string_view rest = path.empty() ? "." : path;
  while (!rest.empty()) {
    size_t length = rest.size();
    if (length >= PATH_MAX) {
      length = rest.rfind('/', PATH_MAX - 1);
      if (length == std::string_view::npos) {
        error = ENAMETOOLONG;
        return Descriptor();
      }
    }
    const std::string piece(rest.substr(0, length));
    rest.remove_prefix(std::min(length + 1, rest.size()));
    Descriptor next = OpenPiece(at.ok() ? at.get() : root_.get(), piece,
                                rest.empty() ? flags : kWay);
    if (!next.ok()) {
      error = errno;
      return next;
    }
    at = std::move(next);
  }
  return at;
}

LocalTree::Entry LocalTree::Find(std::string_view path) const {
  Entry entry;
  const size_t slash = path.rfind('/');
  const bool is_below = slash != std::string_view::npos;
  entry.name = std::string(is_below ? path.substr(slash + 1) : path);
  entry.folder =
      OpenDirectory(is_below ? path.substr(0, slash) : "", O_PATH, entry.error);
  return entry;
}

int LocalTree::Describe(std::string_view path, struct stat& info) const {
  const LocalCall call("stat", Shown(path));
  if (path.empty()) return fstat(root_.get(), &info) == 0 ? 0 : errno;
  const Entry entry = Find(path);
  if (entry.error != 0) return entry.error;
  const int flags = links_ == Links::kRefused ? AT_SYMLINK_NOFOLLOW : 0;
  return fstatat(entry.folder.get(), entry.name.c_str(), &info, flags) == 0
             ? 0
             : errno;
}

int LocalTree::List(std::string_view path,
                    const std::function<bool(const LocalChild&)>& visit) const {
  int error = 0;
  Descriptor opened = OpenDirectory(path, O_RDONLY, error);
  if (error != 0) return error;
  const int fd = opened.get();
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(fdopendir(fd), &closedir);
  if (folder == nullptr) return errno;
  opened.Release();
  const std::string shown = Shown(path);
  const Names names(folder.get(), shown);
  if (names.error() != 0) return names.error();
  const int flags = links_ == Links::kRefused ? AT_SYMLINK_NOFOLLOW : 0;
  for (size_t i = 0; i < names.size(); ++i) {
    LocalChild child{names[i]};
    {
      const LocalCall call("readdir", shown);
      if (fstatat(fd, names[i], &child.info, flags) != 0) child.error = errno;
    }
    if (!visit(child)) break;
  }
  return 0;
}

int LocalTree::DeleteFile(std::string_view path) const {
  const LocalCall call("unlink", Shown(path));
  const Entry entry = Find(path);
  if (entry.error != 0) return entry.error;
  return unlinkat(entry.folder.get(), entry.name.c_str(), 0) == 0 ? 0 : errno;
}

int LocalTree::DeleteDirectory(std::string_view path) const {
  const LocalCall call("rmdir", Shown(path));
  const Entry entry = Find(path);
  if (entry.error != 0) return entry.error;
  return unlinkat(entry.folder.get(), entry.name.c_str(), AT_REMOVEDIR) == 0
             ? 0
             : errno;
}

FileStatistics StatisticsOf(const struct stat& info) {
  return {S_ISREG(info.st_mode) ? info.st_size : 0, NanosecondsOf(info.st_mtim),
          S_ISDIR(info.st_mode)};
}

int64_t NanosecondsOf(const struct timespec& time) {
  return absl::ToUnixNanos(absl::TimeFromTimespec(time));
}

absl::Status LocalError(int error, std::string_view uri) {
  if (error == 0) return absl::OkStatus();
  const IoError described = DescribeIoError(error);
  return {static_cast<absl::StatusCode>(described.code),
          std::string(uri) + ": " + described.text};
}

}  // namespace fsload
