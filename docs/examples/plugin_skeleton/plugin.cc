// A filesystem plugin: local files under the scheme `skeleton`. Replace the
// system calls by those of your store; docs/writing-a-plugin.md says the rest.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fsload/plugin_sdk.h"

namespace {

using fsload::plugin::ThrowErrno;
using Path = const std::string&;

// What a system call returned, if it succeeded.
template <typename Count>
Count Check(Count result, Path context) {
  if (result < 0) ThrowErrno(context);
  return result;
}

struct File {
  File(Path path, int flags)
      : fd(Check(open(path.c_str(), flags | O_CLOEXEC, 0666), path)) {}
  File(const File&) = delete;
  ~File() {
    if (fd >= 0) close(fd);
  }
  int fd;
};

struct Reader : File {
  using File::File;
  size_t Read(uint64_t offset, size_t n, char* buffer) {
    if (offset > INT64_MAX) return 0;  // no file is that long
    return Check(pread(fd, buffer, n, offset), "read");
  }
};

struct Writer : File {
  using File::File;
  size_t Append(const char* data, size_t n) {
    return Check(write(fd, data, n), "append");
  }
  void Close() { Check(close(std::exchange(fd, -1)), "close"); }
};

struct Skeleton {
  std::unique_ptr<Reader> NewRandomAccessFile(Path path) {
    if (Stat(path).is_directory) ThrowErrno(path, EISDIR);
    return std::make_unique<Reader>(path, O_RDONLY);
  }
  std::unique_ptr<Writer> NewWritableFile(Path path) {
    return std::make_unique<Writer>(path, O_WRONLY | O_CREAT | O_TRUNC);
  }
  void CreateDir(Path path) { Check(mkdir(path.c_str(), 0777), path); }
  void DeleteFile(Path path) { Check(unlink(path.c_str()), path); }
  void DeleteDir(Path path) { Check(rmdir(path.c_str()), path); }
  void PathExists(Path path) { Check(access(path.c_str(), F_OK), path); }

  TF_FileStatistics Stat(Path path) {
    struct stat info;
    Check(stat(path.c_str(), &info), path);
    return {info.st_size,
            info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec,
            S_ISDIR(info.st_mode)};
  }

  std::vector<std::string> GetChildren(Path path) {
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(path.c_str()),
                                                        closedir);
    if (directory == nullptr) ThrowErrno(path);
    std::vector<std::string> names;
    errno = 0;  // readdir sets it, or is at the end
    while (const dirent* const entry = readdir(directory.get())) {
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(name);
      errno = 0;
    }
    if (errno != 0) ThrowErrno(path);
    return names;
  }
};

}  // namespace

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin) {
  fsload::plugin::Register(plugin,
                           {fsload::plugin::Scheme<Skeleton>("skeleton")});
}
