#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testdata/posix/ops.h"
#include "testdata/posix/path_error.h"

namespace posix_plugin {
namespace {

using Directory = std::unique_ptr<DIR, int (*)(DIR*)>;

struct Entry {
  std::string name;
  bool is_directory;
};

// A directory on the path from the root of the tree to the current position.
struct Level {
  std::string name;  // the root's name is its path
  dev_t device;
  ino_t inode;
  std::vector<Entry> entries;  // not yet visited
};

Directory OpenDirectory(int at, const char* name) {
  // A symlink is an entry to delete, never a way out of the tree.
  const int fd =
      openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR* directory = fd < 0 ? nullptr : fdopendir(fd);
  if (directory == nullptr && fd >= 0) {
    const int error = errno;
    close(fd);
    errno = error;
  }
  return Directory(directory, closedir);
}

bool IsDirectoryEntry(int at, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  struct stat info;
  return fstatat(at, entry.d_name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISDIR(info.st_mode);
}

// Reads all entries of `directory` into `entries`; 0 or an errno value.
int ListEntries(DIR* directory, std::vector<Entry>* entries) {
  for (;;) {
    errno = 0;
    const dirent* entry = readdir(directory);
    if (entry == nullptr) return errno;
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    entries->push_back(
        {entry->d_name, IsDirectoryEntry(dirfd(directory), *entry)});
  }
}

// Deletes a tree bottom-up (L475). Traverses it with one descriptor and a list
// of levels, so neither the C stack nor the limit on open files bounds the
// depth. Goes on after a failure.
class TreeDeletion {
 public:
  // 0, or an errno value where the traversal cannot start.
  int Start(const char* path) {
    here_ = OpenDirectory(AT_FDCWD, path);
    if (here_ == nullptr) return errno;
    return PushLevel(path);
  }

  void Run() {
    while (!levels_.empty()) {
      std::vector<Entry>& entries = levels_.back().entries;
      if (entries.empty()) {
        Leave();
        continue;
      }
      const Entry entry = std::move(entries.back());
      entries.pop_back();
      if (entry.is_directory) {
        Enter(entry.name);
      } else {
        Delete(entry.name, 0, &undeleted_files_);
      }
    }
  }

  uint64_t undeleted_files() const { return undeleted_files_; }
  uint64_t undeleted_dirs() const { return undeleted_dirs_; }

  // The first failure, as later ones often follow from it.
  int error() const { return error_; }
  const std::string& error_path() const { return error_path_; }

 private:
  int PushLevel(std::string name) {
    struct stat info;
    if (fstat(dirfd(here_.get()), &info) != 0) return errno;
    Level level = {std::move(name), info.st_dev, info.st_ino, {}};
    const int error = ListEntries(here_.get(), &level.entries);
    if (error != 0 && level.entries.empty()) return error;
    levels_.push_back(std::move(level));
    return 0;
  }

  void Enter(const std::string& name) {
    Directory child = OpenDirectory(dirfd(here_.get()), name.c_str());
    // One that cannot be read, or left through "..", may still be empty.
    const bool passable =
        child != nullptr && faccessat(dirfd(child.get()), "..", F_OK, 0) == 0;
    if (!passable) {
      const int error = errno;
      if (child != nullptr) CountEntries(child.get());
      return Delete(name, AT_REMOVEDIR, &undeleted_dirs_, error);
    }
    std::swap(here_, child);
    const int error = PushLevel(name);
    if (error == 0) return;
    std::swap(here_, child);
    Delete(name, AT_REMOVEDIR, &undeleted_dirs_, error);
  }

  void Leave() {
    const Level left = std::move(levels_.back());
    levels_.pop_back();
    if (levels_.empty()) {
      here_.reset();
      return DeleteAt(AT_FDCWD, left.name, AT_REMOVEDIR, &undeleted_dirs_, 0);
    }
    Directory parent = OpenDirectory(dirfd(here_.get()), "..");
    if (parent == nullptr || !IsSame(parent.get(), levels_.back())) {
      return GiveUp(parent == nullptr ? errno : EBUSY);
    }
    here_ = std::move(parent);
    Delete(left.name, AT_REMOVEDIR, &undeleted_dirs_);
  }

  // The tree was moved meanwhile: ".." leads elsewhere, where nothing must be
  // deleted.
  void GiveUp(int error) {
    Note(error, "..");
    undeleted_dirs_ += levels_.size() + 1;
    for (const Level& level : levels_) Count(level.entries);
    levels_.clear();
  }

  static bool IsSame(DIR* directory, const Level& level) {
    struct stat info;
    return fstat(dirfd(directory), &info) == 0 && info.st_dev == level.device &&
           info.st_ino == level.inode;
  }

  void Delete(const std::string& name, int flags, uint64_t* undeleted,
              int reason = 0) {
    DeleteAt(dirfd(here_.get()), name, flags, undeleted, reason);
  }

  // `reason`: the errno value to report instead of the deletion's own.
  void DeleteAt(int at, const std::string& name, int flags, uint64_t* undeleted,
                int reason) {
    if (unlinkat(at, name.c_str(), flags) == 0 || errno == ENOENT) return;
    Note(reason != 0 ? reason : errno, name);
    ++*undeleted;
  }

  void CountEntries(DIR* directory) {
    std::vector<Entry> entries;
    ListEntries(directory, &entries);
    Count(entries);
  }

  void Count(const std::vector<Entry>& entries) {
    for (const Entry& entry : entries) {
      ++(entry.is_directory ? undeleted_dirs_ : undeleted_files_);
    }
  }

  void Note(int error, const std::string& name) {
    if (error_ != 0) return;
    error_ = error;
    for (const Level& level : levels_) error_path_ += level.name + "/";
    error_path_ += name;
  }

  Directory here_{nullptr, closedir};
  std::vector<Level> levels_;  // the last is `here_`
  uint64_t undeleted_files_ = 0;
  uint64_t undeleted_dirs_ = 0;
  int error_ = 0;
  std::string error_path_;
};

// All other operations treat it as a directory, so it is deleted as one; but
// its target's contents are not in it.
bool IsLinkToDirectory(const char* path) {
  struct stat link;
  struct stat target;
  return lstat(path, &link) == 0 && S_ISLNK(link.st_mode) &&
         stat(path, &target) == 0 && S_ISDIR(target.st_mode);
}

bool IsRoot(const char* path) {
  struct stat info;
  struct stat root;
  return stat(path, &info) == 0 && stat("/", &root) == 0 &&
         info.st_dev == root.st_dev && info.st_ino == root.st_ino;
}

// 0 or an errno value.
int UnlinkAlone(const char* path) { return unlink(path) == 0 ? 0 : errno; }

}  // namespace

void DeleteRecursively(const TF_Filesystem*, const char* path,
                       uint64_t* undeleted_files, uint64_t* undeleted_dirs,
                       TF_Status* status) {
  TreeDeletion deletion;
  // "posix://tmp", for one, is the root: a slash is missing.
  const int error = IsLinkToDirectory(path) ? UnlinkAlone(path)
                    : IsRoot(path)          ? EINVAL
                                            : deletion.Start(path);
  if (error != 0) {
    // L482: a deletion that could not start leaves one directory.
    *undeleted_files = 0;
    *undeleted_dirs = 1;
    return SetPathStatus(error, path, status);
  }
  deletion.Run();
  *undeleted_files = deletion.undeleted_files();
  *undeleted_dirs = deletion.undeleted_dirs();
  SetPathStatus(deletion.error(), deletion.error_path().c_str(), status);
}

}  // namespace posix_plugin
