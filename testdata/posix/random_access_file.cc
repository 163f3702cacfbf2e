#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>

#include "testdata/posix/descriptor.h"
#include "testdata/posix/ops.h"
#include "testdata/posix/path_error.h"
#include "testdata/posix/slow.h"

namespace posix_plugin {
namespace {

struct File {
  std::string path;  // for messages
  Descriptor fd;
};

void Cleanup(TF_RandomAccessFile* file) {
  delete static_cast<File*>(file->plugin_file);
}

int64_t Read(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  const auto* self = static_cast<const File*>(file->plugin_file);
  size_t done = 0;
  while (done < n) {
    // No file extends beyond the largest off_t: a read there is at the end.
    if (offset + done >= INT64_MAX || offset + done < offset) break;
    const size_t most = std::min<uint64_t>(n - done, INT64_MAX - offset - done);
    const ssize_t got =
        pread(self->fd.get(), buffer + done, most, offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      // L231: any other error is -1, and only the end is OUT_OF_RANGE.
      const bool means_end = errno == ERANGE || errno == EOVERFLOW;
      TF_SetStatusFromIOError(status, means_end ? EIO : errno,
                              self->path.c_str());
      return -1;
    }
    if (got == 0) break;
    done += got;
  }
  if (done < n) {
    // L229: fewer bytes only at the end of the file.
    TF_SetStatus(status, TF_OUT_OF_RANGE, "reached the end of the file");
  } else {
    TF_SetStatus(status, TF_OK, "");
  }
  return done;
}

}  // namespace

const TF_RandomAccessFileOps kRandomAccessFileOps = {Cleanup, kAtItsPace<Read>};

void NewRandomAccessFile(const TF_Filesystem*, const char* path,
                         TF_RandomAccessFile* file, TF_Status* status) {
  Descriptor fd(OpenWithoutWaiting(path, O_RDONLY));
  if (fd.get() < 0) return SetPathStatus(errno, path, status);
  struct stat info;
  // L353: a directory can be opened for reading, but is not a file.
  const int error = DescribeFile(fd.get(), &info);
  if (error != 0) return SetPathStatus(error, path, status);
  if (lseek(fd.get(), 0, SEEK_CUR) < 0) {
    return TF_SetStatus(status, TF_FAILED_PRECONDITION,
                        (std::string(path) +
                         ": a pipe or a terminal cannot be read at an offset")
                            .c_str());
  }
  file->plugin_file = new File{path, Descriptor(fd.release())};
  TF_SetStatus(status, TF_OK, "");
}

}  // namespace posix_plugin
