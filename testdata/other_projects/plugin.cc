// Plugins shaped like those of other projects, on local files: what they do
// that TensorFlow's own do not. The files of chfs://, dfs:// and gds:// are
// those of the path behind the host.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fsload/plugin_sdk.h"

namespace {

using fsload::plugin::ThrowErrno;
using Path = const std::string&;

// The connection to a server, which a handler of atexit closes, not cleanup.
int* connection = nullptr;

void Connect() {
  if (connection != nullptr) return;
  connection = new int(0);
  atexit([] { delete std::exchange(connection, nullptr); });
}

template <typename Count>
Count Check(Count result, Path context) {
  if (result < 0) ThrowErrno(context);
  if (connection == nullptr) abort();  // used after the end of the process
  return result;
}

// Where the file of a whole URI is.
std::string Local(Path uri) {
  const size_t host = uri.find("://") + 3;
  return uri.substr(uri.find('/', host));
}

struct File {
  File(Path uri, int flags)
      : fd(Check(open(Local(uri).c_str(), flags | O_CLOEXEC, 0666), uri)) {}
  File(const File&) = delete;
  ~File() {
    if (fd >= 0) close(fd);
  }
  int fd;
};

struct Reader : File {
  using File::File;
  size_t Read(uint64_t offset, size_t n, char* buffer) {
    if (offset > INT64_MAX) return 0;
    return Check(pread(fd, buffer, n, offset), "read");
  }
};

// Keeps what is appended until flush, sync or close.
struct BufferingWriter : File {
  using File::File;
  void Append(const char* data, size_t n) { buffer.append(data, n); }
  int64_t Tell() {
    return Check(lseek(fd, 0, SEEK_END), "tell") +
           static_cast<int64_t>(buffer.size());
  }
  void Flush() {
    while (!buffer.empty()) {
      buffer.erase(0, Check(write(fd, buffer.data(), buffer.size()), "flush"));
    }
  }
  void Sync() {
    Flush();
    Check(fsync(fd), "sync");
  }
  void Close() {
    Flush();
    Check(close(std::exchange(fd, -1)), "close");
  }
  std::string buffer;
};

struct OtherProject {
  OtherProject() { Connect(); }

  // The URI itself: the methods below parse it.
  std::string TranslateName(Path uri) { return uri; }

  std::unique_ptr<Reader> NewRandomAccessFile(Path uri) {
    if (Stat(uri).is_directory) ThrowErrno(uri, EISDIR);
    return std::unique_ptr<Reader>(new Reader(uri, O_RDONLY));
  }
  std::unique_ptr<BufferingWriter> NewWritableFile(Path uri) {
    return std::unique_ptr<BufferingWriter>(
        new BufferingWriter(uri, O_WRONLY | O_CREAT | O_TRUNC));
  }
  std::unique_ptr<BufferingWriter> NewAppendableFile(Path uri) {
    return std::unique_ptr<BufferingWriter>(
        new BufferingWriter(uri, O_WRONLY | O_CREAT | O_APPEND));
  }

  void CreateDir(Path uri) { Check(mkdir(Local(uri).c_str(), 0777), uri); }
  void DeleteFile(Path uri) { Check(unlink(Local(uri).c_str()), uri); }
  void DeleteDir(Path uri) { Check(rmdir(Local(uri).c_str()), uri); }
  void RenameFile(Path src, Path dst) {
    if (Stat(src).is_directory) ThrowErrno(src, EISDIR);
    Check(rename(Local(src).c_str(), Local(dst).c_str()), src);
  }
  void PathExists(Path uri) { Check(access(Local(uri).c_str(), F_OK), uri); }

  TF_FileStatistics Stat(Path uri) {
    struct stat info;
    Check(stat(Local(uri).c_str(), &info), uri);
    return {info.st_size,
            info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec,
            S_ISDIR(info.st_mode)};
  }

  std::vector<std::string> GetChildren(Path uri) {
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(
        opendir(Local(uri).c_str()), closedir);
    if (directory == nullptr) ThrowErrno(uri);
    std::vector<std::string> names;
    while (const dirent* const entry = readdir(directory.get())) {
      const std::string name = entry->d_name;
      if (name != "." && name != "..") names.push_back(name);
    }
    return names;
  }
};

// A table with one function more than the interface has, as for reads into the
// memory of a graphics card.
struct WideReadTable {
  TF_RandomAccessFileOps ops;
  int64_t (*read_to_device)(const TF_RandomAccessFile* file);
};

}  // namespace

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin) {
  using fsload::plugin::Scheme;
  fsload::plugin::Register(
      plugin, {Scheme<OtherProject>("chfs"), Scheme<OtherProject>("dfs"),
               Scheme<OtherProject>("gds")});
  for (int i = 0; i < plugin->num_schemes; ++i) {
    TF_FilesystemPluginOps& entry = plugin->ops[i];
    if (std::string(entry.scheme) != "gds") continue;
    auto* const wide = static_cast<WideReadTable*>(
        plugin->plugin_memory_allocate(sizeof(WideReadTable)));
    *wide = {*entry.random_access_file_ops,
             [](const TF_RandomAccessFile*) -> int64_t { return -1; }};
    plugin->plugin_memory_free(entry.random_access_file_ops);
    entry.random_access_file_ops = &wide->ops;
    entry.random_access_file_ops_size = sizeof(WideReadTable);
  }
}
