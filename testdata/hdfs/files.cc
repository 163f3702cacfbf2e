// The functions of libhdfs on open files.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>

#include "testdata/hdfs/call.h"
#include "testdata/hdfs/faults.h"
#include "testdata/hdfs/hdfs.h"
#include "testdata/hdfs/java_error.h"
#include "testdata/hdfs/name_node.h"

using hdfs_model::AnswerOf;
using hdfs_model::FailIfAsked;
using hdfs_model::JavaError;
using hdfs_model::NameNode;
using hdfs_model::OtherError;
using hdfs_model::Prints;

struct hdfsFile_internal {
  ~hdfsFile_internal() { close(fd); }

  const std::string path;
  const int fd;
  const bool writes;
  int64_t position = 0;  // of a file that is written
  std::string buffer;    // not yet seen by others
};

namespace {

// A client sends what is written in packets, and reports later what went wrong.
constexpr size_t kPacket = 65536;

// Whether the file was deleted or replaced since it was opened.
bool IsDeleted(const hdfsFile_internal& file) {
  struct stat info;
  return fstat(file.fd, &info) != 0 || info.st_nlink == 0;
}

void CheckIsNotDeleted(const hdfsFile_internal& file) {
  if (!IsDeleted(file)) return;
  throw hdfs_model::NotFound("File does not exist: " + file.path +
                             " (inode was deleted)");
}

void Send(hdfsFile file) {
  FailIfAsked("write", file->path);
  struct stat info;
  fstat(file->fd, &info);
  const int64_t size = file->buffer.size();
  if (size > 0 && info.st_size + size > hdfs_model::Quota()) {
    throw JavaError{EDQUOT,
                    "DSQuotaExceededException: The DiskSpace quota of " +
                        file->path + " is exceeded"};
  }
  size_t sent = 0;
  while (sent < file->buffer.size()) {
    const ssize_t n =
        write(file->fd, file->buffer.data() + sent, file->buffer.size() - sent);
    if (n < 0) throw OtherError("IOException: write failed");
    sent += n;
  }
  file->buffer.clear();
}

int Flush(const char* function, hdfsFile file) {
  if (file == nullptr || !file->writes) {
    errno = EBADF;
    return -1;
  }
  return AnswerOf(function, Prints::kAll, -1, [&] {
    CheckIsNotDeleted(*file);
    Send(file);
    return 0;
  });
}

}  // namespace

hdfsFile hdfsOpenFile(hdfsFS fs, const char* path, int flags, int,
                      short,  // NOLINT(google-runtime-int)
                      tSize) {
  const int mode = flags & O_ACCMODE;
  if (mode == O_RDWR) {
    errno = ENOTSUP;
    return nullptr;
  }
  const auto& node = *reinterpret_cast<const NameNode*>(fs);
  return AnswerOf("hdfsOpenFile", Prints::kAll, hdfsFile(), [&] {
    const int fd = mode == O_RDONLY          ? node.Open(path)
                   : (flags & O_APPEND) != 0 ? node.Append(path)
                                             : node.Create(path);
    struct stat info;
    fstat(fd, &info);
    return new hdfsFile_internal{path, fd, mode == O_WRONLY, info.st_size, ""};
  });
}

int hdfsCloseFile(hdfsFS, hdfsFile file) {
  if (file == nullptr) {
    errno = EBADF;
    return -1;
  }
  const std::unique_ptr<hdfsFile_internal> closed(file);
  if (!closed->writes) return 0;
  return AnswerOf("FSDataOutputStream#close", Prints::kAll, -1, [&] {
    FailIfAsked("close", closed->path);
    CheckIsNotDeleted(*closed);
    Send(closed.get());
    return 0;
  });
}

tSize hdfsPread(hdfsFS, hdfsFile file, tOffset position, void* buffer,
                tSize length) {
  if (file == nullptr || file->writes || length < 0) {
    errno = file == nullptr ? EBADF : EINVAL;
    return -1;
  }
  return AnswerOf("hdfsPread", Prints::kAll, tSize{-1}, [&] {
    FailIfAsked("read", file->path);
    // Data nodes delete the blocks of a deleted file seconds later, here at
    // once.
    if (IsDeleted(*file)) {
      throw OtherError("BlockMissingException: Could not obtain block of " +
                       file->path);
    }
    return static_cast<tSize>(pread(file->fd, buffer, length, position));
  });
}

tSize hdfsWrite(hdfsFS, hdfsFile file, const void* buffer, tSize length) {
  if (file == nullptr || !file->writes || length < 0) {
    errno = file == nullptr ? EBADF : EINVAL;
    return -1;
  }
  return AnswerOf("hdfsWrite", Prints::kAll, tSize{-1}, [&] {
    file->buffer.append(static_cast<const char*>(buffer), length);
    file->position += length;
    if (file->buffer.size() >= kPacket) Send(file);
    return length;
  });
}

tOffset hdfsTell(hdfsFS, hdfsFile file) {
  if (file != nullptr) return file->position;
  errno = EBADF;
  return -1;
}

int hdfsHFlush(hdfsFS, hdfsFile file) { return Flush("hdfsHFlush", file); }

int hdfsHSync(hdfsFS, hdfsFile file) { return Flush("hdfsHSync", file); }
