#include "loader/file_owners.h"

#include <fmt/format.h>
#include <limits.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace fsload {
namespace {

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder;
}

// The path without links of an open file, "" where the system does not tell.
std::string PathOf(int fd) {
  char path[PATH_MAX];
  const ssize_t size =
      readlink(fmt::format("/proc/self/fd/{}", fd).c_str(), path, sizeof(path));
  return size > 0 ? std::string(path, size) : "";
}

}  // namespace

bool IsReplaceable(mode_t folder, uid_t owner, uid_t user) {
  if ((folder & S_IWOTH) == 0) return false;
  return (folder & S_ISVTX) == 0 || (owner != 0 && owner != user);
}

void CheckOwners(int fd, const std::string& path, Findings& findings) {
  struct stat file;
  if (fstat(fd, &file) != 0) return;
  if ((file.st_mode & S_IWOTH) != 0) {
    findings.Add(
        RuleId::kFileNotWorldWritable,
        fmt::format("wanted a file that only its owner may write, found '{}' "
                    "with mode {:04o}; anybody could have put code there: "
                    "chmod o-w",
                    path, file.st_mode & 07777));
  }
  for (const std::string& each : {path, PathOf(fd)}) {
    const std::string folder = FolderOf(each);
    struct stat status;
    struct stat name;
    // The owner of a link is who may replace it.
    if (each.empty() || stat(folder.c_str(), &status) != 0 ||
        lstat(each.c_str(), &name) != 0 ||
        !IsReplaceable(status.st_mode, name.st_uid, geteuid())) {
      continue;
    }
    findings.Add(
        RuleId::kFolderNotWorldWritable,
        fmt::format("wanted a folder in which only its owner may replace the "
                    "plugin, found '{}' with mode {:04o}; anybody could have "
                    "put code there: chmod o-w",
                    folder, status.st_mode & 07777));
    return;
  }
}

}  // namespace fsload
