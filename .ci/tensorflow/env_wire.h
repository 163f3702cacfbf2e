// Messages between env_plugin.cc and env_server.cc: numbers and texts, one
// after the other, in the order of each operation.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>

// Operations, by their names in tensorflow::Env where it has one.
enum class Request : int64_t {
  kNewRandomAccessFile,
  kRead,
  kNewWritableFile,
  kNewAppendableFile,
  kAppend,
  kTell,
  kFlush,
  kSync,
  kClose,
  kNewReadOnlyMemoryRegion,
  kForget,  // a file or region
  kFileExists,
  kFilesExist,
  kGetChildren,
  kGetMatchingPaths,
  kDeleteFile,
  kCreateDir,
  kRecursivelyCreateDir,
  kDeleteDir,
  kDeleteRecursively,
  kStat,
  kIsDirectory,
  kGetFileSize,
  kRenameFile,
  kCopyFile,
};

class Message {
 public:
  Message() = default;
  explicit Message(Request request) { Put(static_cast<int64_t>(request)); }

  Message& Put(int64_t number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
    return *this;
  }
  Message& Put(const std::string& text) {
    Put(static_cast<int64_t>(text.size()));
    bytes_ += text;
    return *this;
  }

  int64_t TakeNumber() {
    int64_t number = 0;
    if (bytes_.size() - at_ < sizeof(number)) return 0;  // no answer came
    std::memcpy(&number, bytes_.data() + at_, sizeof(number));
    at_ += sizeof(number);
    return number;
  }
  std::string TakeText() {
    const size_t size = static_cast<size_t>(TakeNumber());
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

  // False: the other side is gone.
  bool Send(int fd) const {
    const int64_t size = static_cast<int64_t>(bytes_.size());
    return WriteAll(fd, reinterpret_cast<const char*>(&size), sizeof(size)) &&
           WriteAll(fd, bytes_.data(), bytes_.size());
  }
  bool Receive(int fd) {
    int64_t size = 0;
    if (!ReadAll(fd, reinterpret_cast<char*>(&size), sizeof(size))) {
      return false;
    }
    bytes_.assign(static_cast<size_t>(size), '\0');
    at_ = 0;
    return ReadAll(fd, bytes_.data(), bytes_.size());
  }

 private:
  static bool WriteAll(int fd, const char* bytes, size_t count) {
    while (count > 0) {
      const ssize_t written = send(fd, bytes, count, MSG_NOSIGNAL);
      if (written <= 0) return false;
      bytes += written;
      count -= static_cast<size_t>(written);
    }
    return true;
  }
  static bool ReadAll(int fd, char* bytes, size_t count) {
    while (count > 0) {
      const ssize_t got = read(fd, bytes, count);
      if (got <= 0) return false;
      bytes += got;
      count -= static_cast<size_t>(got);
    }
    return true;
  }

  std::string bytes_;
  size_t at_ = 0;
};
