#include "loader/supervision/remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fsload {
namespace {

// Opens the folder `name` in `parent` and lets its owner list and change it; -1
// on failure.
int OpenFolder(int parent, const char* name) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  int fd = openat(parent, name, kFlags);
  if (fd < 0 && errno == EACCES) {
    // It is a folder: opening a link fails with another error.
    [[maybe_unused]] const int ignored = fchmodat(parent, name, S_IRWXU, 0);
    fd = openat(parent, name, kFlags);
  }
  struct stat status = {};
  if (fd >= 0 && fstat(fd, &status) == 0 &&
      (status.st_mode & S_IRWXU) != S_IRWXU) {
    fchmod(fd, S_IRWXU);
  }
  return fd;
}

// Removes everything in `folder` except non-empty folders, whose names it
// returns.
std::vector<std::string> RemoveFiles(int folder, bool& all) {
  std::vector<std::string> left;
  const int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const entries = fd < 0 ? nullptr : fdopendir(fd);
  if (entries == nullptr) {
    if (fd >= 0) close(fd);
    all = false;
    return left;
  }
  while (const dirent* const entry = readdir(entries)) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (unlinkat(folder, entry->d_name, 0) == 0) continue;
    const bool folder_itself = errno == EISDIR || errno == EPERM;
    if (folder_itself && unlinkat(folder, entry->d_name, AT_REMOVEDIR) == 0) {
      continue;
    }
    left.emplace_back(name);
  }
  closedir(entries);
  return left;
}

// What identifies a folder: its disk, and its number there.
using Identity = std::pair<dev_t, ino_t>;

Identity IdentityOf(int folder) {
  struct stat status = {};
  fstat(folder, &status);
  return {status.st_dev, status.st_ino};
}

// A folder between the top and the current one.
struct Level {
  std::string name;  // in its parent
  Identity identity;
  std::vector<std::string> left;  // its subfolders still to be removed
};

}  // namespace

bool RemoveTree(const std::string& path) {
  int here = OpenFolder(AT_FDCWD, path.c_str());
  if (here < 0) return errno == ENOENT;
  bool all = true;
  std::vector<Level> levels;
  const Identity top = IdentityOf(here);
  levels.push_back({path, top, RemoveFiles(here, all)});
  while (true) {
    Level& level = levels.back();
    if (!level.left.empty()) {
      std::string name = std::move(level.left.back());
      level.left.pop_back();
      const int below = OpenFolder(here, name.c_str());
      if (below < 0) {
        all = false;
        continue;
      }
      close(here);
      here = below;
      const Identity identity = IdentityOf(here);
      std::vector<std::string> left = RemoveFiles(here, all);
      levels.push_back({std::move(name), identity, std::move(left)});
      continue;
    }
    if (levels.size() == 1) break;
    const int above = openat(here, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    close(here);
    if (above < 0) return false;
    here = above;
    // Somebody who moves the folder meanwhile would lead this elsewhere.
    if (IdentityOf(here) != levels[levels.size() - 2].identity) {
      close(here);
      return false;
    }
    if (unlinkat(here, level.name.c_str(), AT_REMOVEDIR) != 0) all = false;
    levels.pop_back();
  }
  close(here);
  return rmdir(path.c_str()) == 0 && all;
}

}  // namespace fsload
