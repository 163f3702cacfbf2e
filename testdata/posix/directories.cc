#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "testdata/plugin_memory.h"
#include "testdata/posix/ops.h"
#include "testdata/posix/path_error.h"

namespace posix_plugin {
namespace {

// 0777 less the umask, as is customary.
int MakeDirectory(const char* path) {
  return mkdir(path, 0777) == 0 ? 0 : errno;
}

// Makes `path` and its ancestors, top-down; 0 or an errno value.
int MakeDirectories(const std::string& path) {
  size_t end = 0;
  while (end < path.size()) {
    end = std::min(path.find('/', end + 1), path.size());
    const int error = MakeDirectory(path.substr(0, end).c_str());
    // It exists already, or somebody has just made it.
    if (error != 0 && error != EEXIST) return error;
  }
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return errno;
  return S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
}

// Reads the names in the directory `path` into `names`; 0 or an errno value.
int ListNames(const char* path, std::vector<std::string>* names) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(path), closedir);
  if (directory == nullptr) return errno;
  for (;;) {
    errno = 0;
    const dirent* entry = readdir(directory.get());
    if (entry == nullptr) return errno;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names->emplace_back(name);
  }
}

}  // namespace

void CreateDir(const TF_Filesystem*, const char* path, TF_Status* status) {
  SetPathStatus(MakeDirectory(path), path, status);
}

void RecursivelyCreateDir(const TF_Filesystem*, const char* path,
                          TF_Status* status) {
  int error = MakeDirectories(path);
  // L441: never NOT_FOUND. What exists and yet is not found is a dangling
  // symlink, which is not a directory.
  if (error == ENOENT) error = ENOTDIR;
  SetPathStatus(error, path, status);
}

void DeleteDir(const TF_Filesystem*, const char* path, TF_Status* status) {
  int error = rmdir(path) == 0 ? 0 : errno;
  // POSIX allows either for a non-empty directory.
  if (error == EEXIST) error = ENOTEMPTY;
  SetPathStatus(error, path, status);
}

int GetChildren(const TF_Filesystem*, const char* path, char*** entries,
                TF_Status* status) {
  std::vector<std::string> names;
  int error = ListNames(path, &names);
  if (error == 0 && names.size() > INT_MAX) error = EOVERFLOW;
  char** copies = nullptr;
  if (error == 0) {
    copies = plugin_memory::CopyStrings(names);
    if (copies == nullptr) error = ENOMEM;
  }
  SetPathStatus(error, path, status);
  // L660: on an error nothing is handed over.
  if (error != 0) return -1;
  *entries = copies;
  return static_cast<int>(names.size());
}

}  // namespace posix_plugin
