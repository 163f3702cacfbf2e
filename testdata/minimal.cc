// The smallest useful filesystem plugin, scheme `minimal`: local files with
// only the leaf operations, which no default of a host can replace.
// docs/examples/plugin_skeleton/plugin.c is the same in C.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "fsload/filesystem_interface.h"
#include "testdata/plugin_memory.h"

namespace {

#ifdef SLOW_READS
constexpr const char* kScheme = SLOW_READS;
constexpr std::chrono::milliseconds kReadTakes{50};
#else
[[maybe_unused]] constexpr const char* kScheme = "minimal";
constexpr std::chrono::milliseconds kReadTakes{0};
#endif

// As tensorflow-io 0.19 names its s3.
#ifdef RENAMES
const char* Scheme() {
  const char* const modular = std::getenv("TF_USE_MODULAR_FILESYSTEM");
  return modular != nullptr && modular == std::string("1") ? "s3" : "s3e";
}
#else
const char* Scheme() { return kScheme; }
#endif

#ifdef READS_NO_STREAM
// std::istream::read, by its linker symbol.
extern "C" void* ReadStream(void* stream, char* buffer,
                            std::ptrdiff_t bytes) __asm__("_ZNSi4readEPcl");
void ReadNoStream(char* buffer) { ReadStream(nullptr, buffer, 0); }
#else
void ReadNoStream(char*) {}
#endif

// The result of close(fd). Before it, UPLOADS_AGAIN, the class of a stream,
// sends the file twice as the s3 plugin does where the first attempt fails: the
// stream stands at its end by then, and the buffer has the contents of some
// other file.
#ifdef UPLOADS_AGAIN
int CloseWritten(int fd) {
  const std::string path = "/proc/self/fd/" + std::to_string(fd);
  const auto size = static_cast<std::streamsize>(lseek(fd, 0, SEEK_END));
  UPLOADS_AGAIN stream(path, std::ios::in | std::ios::binary);
  std::string buffer(size, '\0');
  stream.read(buffer.data(), size);
  buffer.assign(size, '#');
  stream.read(buffer.data(), size);
  const bool is_sent = pwrite(fd, buffer.data(), size, 0) == size;
  return close(fd) == 0 && is_sent ? 0 : -1;
}
#else
int CloseWritten(int fd) { return close(fd); }
#endif

// A descriptor as the private pointer, plus one so that it is never null.
void* FromFd(int fd) { return reinterpret_cast<void*>(intptr_t{fd} + 1); }
int ToFd(const void* file) { return reinterpret_cast<intptr_t>(file) - 1; }

// The status for a system call that returns -1 on failure.
void SetStatus(int result, const char* path, TF_Status* status) {
  if (result < 0) return TF_SetStatusFromIOError(status, errno, path);
  TF_SetStatus(status, TF_OK, "");
}

void CleanupReadFile(TF_RandomAccessFile* file) {
  close(ToFd(file->plugin_file));
}

int64_t Read(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  if (kReadTakes.count() > 0) std::this_thread::sleep_for(kReadTakes);
  size_t done = 0;
  // No file extends beyond the largest off_t.
  while (done < n && offset + done <= INT64_MAX) {
    const ssize_t got =
        pread(ToFd(file->plugin_file), buffer + done, n - done, offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      SetStatus(-1, "read", status);
      return -1;
    }
    if (got == 0) break;
    done += got;
  }
  if (done == 0) ReadNoStream(buffer);
  // L229: fewer bytes only at the end of the file.
  TF_SetStatus(status, done < n ? TF_OUT_OF_RANGE : TF_OK,
               done < n ? "reached the end of the file" : "");
  return done;
}

// On the heap: `close` closes the descriptor, `cleanup` comes later.
struct WritableFile {
  int fd;
  int64_t position;
};

WritableFile* Self(const TF_WritableFile* file) {
  return static_cast<WritableFile*>(file->plugin_file);
}

void CleanupWritableFile(TF_WritableFile* file) {
  if (Self(file)->fd >= 0) close(Self(file)->fd);
  delete Self(file);
}

void Append(const TF_WritableFile* file, const char* buffer, size_t n,
            TF_Status* status) {
  for (size_t done = 0; done < n;) {
    const ssize_t written = write(Self(file)->fd, buffer + done, n - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SetStatus(-1, "append", status);
    done += written;
    Self(file)->position += written;
  }
  TF_SetStatus(status, TF_OK, "");
}

int64_t Tell(const TF_WritableFile* file, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
  return Self(file)->position;
}

void Close(const TF_WritableFile* file, TF_Status* status) {
  const int result = CloseWritten(Self(file)->fd);
  Self(file)->fd = -1;
  SetStatus(result, "close", status);
}

void Init(TF_Filesystem*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

void Cleanup(TF_Filesystem*) {}

void NewRandomAccessFile(const TF_Filesystem*, const char* path,
                         TF_RandomAccessFile* file, TF_Status* status) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return SetStatus(-1, path, status);
  struct stat info;
  if (fstat(fd, &info) != 0 || S_ISDIR(info.st_mode)) {
    // L353: a directory can be opened, but is not a file.
    close(fd);
    return TF_SetStatusFromIOError(status, EISDIR, path);
  }
  file->plugin_file = FromFd(fd);
  TF_SetStatus(status, TF_OK, "");
}

void OpenForWriting(const char* path, int flags, TF_WritableFile* file,
                    TF_Status* status) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
  if (fd < 0) return SetStatus(-1, path, status);
  file->plugin_file = new WritableFile{fd, lseek(fd, 0, SEEK_END)};
  TF_SetStatus(status, TF_OK, "");
}

void NewWritableFile(const TF_Filesystem*, const char* path,
                     TF_WritableFile* file, TF_Status* status) {
  OpenForWriting(path, O_TRUNC, file, status);
}

void NewAppendableFile(const TF_Filesystem*, const char* path,
                       TF_WritableFile* file, TF_Status* status) {
  OpenForWriting(path, O_APPEND, file, status);
}

void CreateDir(const TF_Filesystem*, const char* path, TF_Status* status) {
  SetStatus(mkdir(path, 0777), path, status);
}

#ifdef KEEPS_FILES
void DeleteFile(const TF_Filesystem*, const char*, TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}

void RenameFile(const TF_Filesystem*, const char*, const char*,
                TF_Status* status) {
  TF_SetStatus(status, TF_OK, "");
}
#else
void DeleteFile(const TF_Filesystem*, const char* path, TF_Status* status) {
  SetStatus(unlink(path), path, status);
}

constexpr decltype(TF_FilesystemOps::rename_file) RenameFile = nullptr;
#endif

void DeleteDir(const TF_Filesystem*, const char* path, TF_Status* status) {
  SetStatus(rmdir(path), path, status);
}

void PathExists(const TF_Filesystem*, const char* path, TF_Status* status) {
  SetStatus(access(path, F_OK), path, status);
}

void Stat(const TF_Filesystem*, const char* path, TF_FileStatistics* stats,
          TF_Status* status) {
  struct stat info;
  const int result = stat(path, &info);
  SetStatus(result, path, status);
  if (result != 0) return;
  stats->length = info.st_size;
  // Years after 2262 cannot be represented; unsigned arithmetic wraps instead
  // of trapping.
  stats->mtime_nsec = static_cast<int64_t>(
      static_cast<uint64_t>(info.st_mtim.tv_sec) * UINT64_C(1000000000) +
      static_cast<uint64_t>(info.st_mtim.tv_nsec));
  stats->is_directory = S_ISDIR(info.st_mode);
}

int GetChildren(const TF_Filesystem*, const char* path, char*** entries,
                TF_Status* status) {
  DIR* directory = opendir(path);
  if (directory == nullptr) {
    SetStatus(-1, path, status);
    return -1;
  }
  std::vector<std::string> names;
  while (const dirent* entry = readdir(directory)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(directory);
  *entries = plugin_memory::CopyStrings(names);
  if (*entries == nullptr) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, path);
    return -1;
  }
  TF_SetStatus(status, TF_OK, "");
  return static_cast<int>(names.size());
}

TF_FilesystemOps FilesystemOps() {
  TF_FilesystemOps ops = {};
  ops.init = Init;
  ops.cleanup = Cleanup;
  ops.new_random_access_file = NewRandomAccessFile;
  ops.new_writable_file = NewWritableFile;
  ops.new_appendable_file = NewAppendableFile;
  ops.create_dir = CreateDir;
  ops.delete_file = DeleteFile;
  ops.rename_file = RenameFile;
  ops.delete_dir = DeleteDir;
  ops.path_exists = PathExists;
  ops.stat = Stat;
  ops.get_children = GetChildren;
  return ops;
}

constexpr TF_RandomAccessFileOps kReadOps = {CleanupReadFile, Read};
constexpr TF_WritableFileOps kWriteOps = {
    CleanupWritableFile, Append, Tell, nullptr, nullptr, Close};

}  // namespace

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  plugin_info->plugin_memory_allocate = plugin_memory::Allocate;
  plugin_info->plugin_memory_free = plugin_memory::Free;
  plugin_info->num_schemes = 1;
  plugin_info->ops = static_cast<TF_FilesystemPluginOps*>(
      plugin_memory::Allocate(sizeof(TF_FilesystemPluginOps)));
  TF_FilesystemPluginOps* ops = plugin_info->ops;
  TF_SetFilesystemVersionMetadata(ops);
  ops->scheme = plugin_memory::CopyString(Scheme());
  ops->filesystem_ops = plugin_memory::CopyTable(FilesystemOps());
  ops->random_access_file_ops = plugin_memory::CopyTable(kReadOps);
  ops->writable_file_ops = plugin_memory::CopyTable(kWriteOps);
}
