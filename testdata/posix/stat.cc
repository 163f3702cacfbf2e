#include <sys/stat.h>

#include <cerrno>
#include <cstdint>

#include "testdata/posix/ops.h"
#include "testdata/posix/path_error.h"

namespace posix_plugin {
namespace {

// Every operation here follows symlinks, so that all agree: a dangling one does
// not exist. 0 or an errno value.
int Describe(const char* path, struct stat* info) {
  return stat(path, info) == 0 ? 0 : errno;
}

// Since 1970, saturating: times before 1677 and after 2262 cannot be
// represented.
int64_t Nanoseconds(const struct timespec& time) {
  int64_t nanoseconds;
  if (__builtin_mul_overflow(time.tv_sec, INT64_C(1000000000), &nanoseconds) ||
      __builtin_add_overflow(nanoseconds, time.tv_nsec, &nanoseconds)) {
    return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;
  }
  return nanoseconds;
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
    // L567: fills all of them, if the host wants them.
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
  stats->mtime_nsec = Nanoseconds(info.st_mtim);
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
