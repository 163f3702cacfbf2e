#include <libgen.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "testdata/posix/ops.h"
#include "testdata/posix/path_error.h"

namespace posix_plugin {
namespace {

bool SameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Whether two paths name the same entry of the same directory ("a" and "./a").
bool SameEntry(const char* a, const char* b) {
  std::string in_a = a, in_b = b, of_a = a, of_b = b;  // libgen modifies them
  struct stat folder_a, folder_b;
  return stat(dirname(in_a.data()), &folder_a) == 0 &&
         stat(dirname(in_b.data()), &folder_b) == 0 &&
         SameFile(folder_a, folder_b) &&
         std::string(basename(of_a.data())) == basename(of_b.data());
}

// rename(2) keeps both names if they are links to one file.
int DeleteLeftLink(const char* src, const char* dst) {
  struct stat from, to;
  if (lstat(src, &from) != 0 || lstat(dst, &to) != 0) return 0;
  if (!SameFile(from, to) || from.st_nlink < 2 || SameEntry(src, dst)) return 0;
  return unlink(src) == 0 ? 0 : errno;
}

int Rename(const char* src, const char* dst) {
  struct stat info;
  // L512: neither may be a directory, although the system would rename one. A
  // symlink to one is renamed itself, as it is deleted itself.
  if (lstat(src, &info) == 0 && S_ISDIR(info.st_mode)) return EISDIR;
  struct stat old;
  if (stat(dst, &old) == 0 && S_ISDIR(old.st_mode)) return EISDIR;
  // A device or a pipe is not a replaceable file.
  const bool is_special =
      lstat(dst, &old) == 0 && !S_ISREG(old.st_mode) && !S_ISLNK(old.st_mode);
  if (is_special && lstat(src, &info) == 0 && !SameFile(info, old)) {
    return EPERM;
  }
  // L504: atomic, so an error leaves both unchanged. EXDEV between two devices:
  // a copy could not keep that promise.
  if (rename(src, dst) != 0) return errno;
  return DeleteLeftLink(src, dst);
}

}  // namespace

void DeleteFile(const TF_Filesystem*, const char* path, TF_Status* status) {
  // Deletes a symlink, not its target. L456: a directory is EISDIR.
  SetPathStatus(unlink(path) == 0 ? 0 : errno, path, status);
}

void RenameFile(const TF_Filesystem*, const char* src, const char* dst,
                TF_Status* status) {
  const std::string context = std::string(src) + " to " + dst;
  SetPathStatus(Rename(src, dst), context.c_str(), status);
}

}  // namespace posix_plugin
