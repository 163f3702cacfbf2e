#include <sys/stat.h>

#include <cerrno>
#include <cstdint>

#include "testdata/posix/ops.h"
#include "testdata/posix/path_error.h"

namespace posix_plugin {
namespace {

// Every operation here follows symlinks, so that all of them agree: one that
// leads nowhere does not exist. 0 or an errno value.
int Describe(const char* path, struct stat* info) {
  return stat(path, info) == 0 ? 0 : errno;
}

}  // namespace

void PathExists(const TF_Filesystem*, const char* path, TF_Status* status) {
  struct stat info;
  SetPathStatus(Describe(path, &info), path, status);
}

bool PathsExist(const TF_Filesystem*, char** paths, int num_files,
                TF_Status** statuses) {
  bool all = true;
  for (int i = 0; i < num_files; ++i) {
    struct stat info;
    const int error = Describe(paths[i], &info);
    all = all && error == 0;
    // L567: all of them are filled, where the host wants them.
    if (statuses != nullptr) SetPathStatus(error, paths[i], statuses[i]);
  }
  return all;
}

void Stat(const TF_Filesystem*, const char* path, TF_FileStatistics* stats,
          TF_Status* status) {
  struct stat info;
  const int error = Describe(path, &info);
  SetPathStatus(error, path, status);
  // L579: `stats` changes only with TF_OK.
  if (error != 0) return;
  stats->length = info.st_size;
  stats->mtime_nsec =
      info.st_mtim.tv_sec * INT64_C(1000000000) + info.st_mtim.tv_nsec;
  stats->is_directory = S_ISDIR(info.st_mode);
}

bool IsDirectory(const TF_Filesystem*, const char* path, TF_Status* status) {
  struct stat info;
  const int error = Describe(path, &info);
  SetPathStatus(error, path, status);
  // L597: a file is TF_OK and false.
  return error == 0 && S_ISDIR(info.st_mode);
}

int64_t GetFileSize(const TF_Filesystem*, const char* path, TF_Status* status) {
  struct stat info;
  int error = Describe(path, &info);
  // L617: a directory has no size, although stat gives it a length.
  if (error == 0 && S_ISDIR(info.st_mode)) error = EISDIR;
  SetPathStatus(error, path, status);
  return error == 0 ? info.st_size : -1;
}

}  // namespace posix_plugin
