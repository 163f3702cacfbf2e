#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>

#include "testdata/posix/descriptor.h"
#include "testdata/posix/ops.h"
#include "testdata/posix/path_error.h"
#include "testdata/posix/slow.h"

namespace posix_plugin {
namespace {

// Unbuffered: appended bytes are in the system at once.
struct File {
  std::string path;  // for messages
  Descriptor fd;
  int64_t position;  // where the next append writes
  bool is_shared;    // others may append to the file, too
};

File* Self(const TF_WritableFile* file) {
  return static_cast<File*>(file->plugin_file);
}

void SetFileStatus(int error, const File& file, TF_Status* status) {
  TF_SetStatusFromIOError(status, error, file.path.c_str());
}

void Cleanup(TF_WritableFile* file) { delete Self(file); }

void Append(const TF_WritableFile* file, const char* buffer, size_t n,
            TF_Status* status) {
  File* self = Self(file);
  for (size_t done = 0; done < n;) {
    const ssize_t written = write(self->fd.get(), buffer + done, n - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      // L257: a full disk or a quota is RESOURCE_EXHAUSTED.
      return SetFileStatus(written < 0 ? errno : ENOSPC, *self, status);
    }
    done += written;
    self->position += written;
  }
  if (self->is_shared && n > 0) {
    // The kernel knows where this ended.
    const off_t end = lseek(self->fd.get(), 0, SEEK_CUR);
    if (end >= 0) self->position = end;
  }
  TF_SetStatus(status, TF_OK, "");
}

int64_t Tell(const TF_WritableFile* file, TF_Status* status) {
  // L265: a stored number, so a second call yields the same.
  TF_SetStatus(status, TF_OK, "");
  return Self(file)->position;
}

void Flush(const TF_WritableFile*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

void Sync(const TF_WritableFile* file, TF_Status* status) {
  // L283: blocks until the contents are on disk.
  int error;
  do {
    error = fsync(Self(file)->fd.get()) == 0 ? 0 : errno;
  } while (error == EINTR);
  // A device or a pipe stores nothing.
  struct stat info;
  if ((error == EINVAL || error == EROFS) &&
      fstat(Self(file)->fd.get(), &info) == 0 && !S_ISREG(info.st_mode)) {
    error = 0;
  }
  SetFileStatus(error, *Self(file), status);
}

void Close(const TF_WritableFile* file, TF_Status* status) {
  // The descriptor is gone whatever close returns, even after a signal; then
  // nobody knows whether all is stored.
  const int error = close(Self(file)->fd.release()) == 0 ? 0 : errno;
  SetFileStatus(error, *Self(file), status);
}

void Open(const char* path, int flags, TF_WritableFile* file,
          TF_Status* status) {
  // L373: the system refuses to open a directory for writing.
  Descriptor fd(OpenWithoutWaiting(path, O_WRONLY | O_CREAT | flags));
  if (fd.get() < 0) return SetPathStatus(errno, path, status);
  struct stat info;
  const int error = DescribeFile(fd.get(), &info);
  if (error != 0) return SetPathStatus(error, path, status);
  const int now = fcntl(fd.get(), F_GETFL);
  fcntl(fd.get(), F_SETFL, now & ~O_NONBLOCK);
  const bool is_shared = (flags & O_APPEND) != 0 && S_ISREG(info.st_mode);
  file->plugin_file =
      new File{path, Descriptor(fd.release()), info.st_size, is_shared};
  TF_SetStatus(status, TF_OK, "");
}

}  // namespace

const TF_WritableFileOps kWritableFileOps = {
    Cleanup, kAtItsPace<Append>, Tell, Flush, Sync, Close};

void NewWritableFile(const TF_Filesystem*, const char* path,
                     TF_WritableFile* file, TF_Status* status) {
  // L365: recreated in place, as unlinking would also remove a symlink or a
  // device (/dev/null).
  Open(path, O_TRUNC, file, status);
}

void NewAppendableFile(const TF_Filesystem*, const char* path,
                       TF_WritableFile* file, TF_Status* status) {
  Open(path, O_APPEND, file, status);
}

}  // namespace posix_plugin
