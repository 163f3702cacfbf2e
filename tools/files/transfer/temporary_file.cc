#include "tools/files/transfer/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>

#include "core/system/random_number.h"

namespace fsload {
namespace {

using Entry = LocalTree::Entry;

// As RenameEntry.
int Rename(int folder, const char* name, const Entry& target, bool replaces) {
  const int to = target.folder.get();
  const char* const to_name = target.name.c_str();
  int failed =
      renameat2(folder, name, to, to_name, replaces ? 0 : RENAME_NOREPLACE);
  // Not all file systems can. Then who creates the file at this moment loses
  // what he wrote, but for this process's own threads: two of their files may
  // be one on a disk that does not tell a from A.
  if (failed != 0 && !replaces && (errno == EINVAL || errno == ENOSYS)) {
    static std::mutex* const mutex = new std::mutex;  // outlives exit handlers
    const std::lock_guard<std::mutex> lock(*mutex);
    struct stat there;
    if (DescribeEntry(target, there) == 0) return EEXIST;
    failed = renameat(folder, name, to, to_name);
  }
  return failed == 0 ? 0 : errno;
}

}  // namespace

int DescribeEntry(const Entry& entry, struct stat& info) {
  return fstatat(entry.folder.get(), entry.name.c_str(), &info,
                 AT_SYMLINK_NOFOLLOW) == 0
             ? 0
             : errno;
}

int RenameEntry(const Entry& source, const Entry& target, bool replaces) {
  return Rename(source.folder.get(), source.name.c_str(), target, replaces);
}

std::string TemporaryName() {
  return fmt::format(".fsload-{:016x}", RandomNumber());
}

absl::Status NotReplaced(const std::string& uri) {
  return absl::AlreadyExistsError(uri + ": it exists; it is not replaced");
}

TemporaryFile::TemporaryFile(const Entry& target, const std::string& uri)
    : target_(target),
      name_(TemporaryName()),
      work_(name_ + " beside it may be an incomplete copy of " + uri) {}

TemporaryFile::~TemporaryFile() {
  if (!is_renamed_) unlinkat(target_.folder.get(), name_.c_str(), 0);
}

int TemporaryFile::MoveTo(bool replaces) {
  const int error =
      Rename(target_.folder.get(), name_.c_str(), target_, replaces);
  is_renamed_ = error == 0;
  return error;
}

absl::Status MakeLocalFile(
    const Place& target,
    const std::function<absl::Status(const std::string& uri)>& write) {
  const Entry entry = target.tree->Find(target.path);
  if (entry.error != 0) return LocalError(entry.error, target.uri);
  struct stat there;
  if (DescribeEntry(entry, there) == 0) return NotReplaced(target.uri);
  TemporaryFile temporary(entry, target.uri);
  const size_t folder_bytes = target.uri.rfind('/') + 1;  // npos: 0
  const absl::Status written =
      write(target.uri.substr(0, folder_bytes) + temporary.name());
  return written.ok() ? LocalError(temporary.MoveTo(false), target.uri)
                      : written;
}

}  // namespace fsload
