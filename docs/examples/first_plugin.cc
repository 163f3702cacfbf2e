// A filesystem plugin: local files under the scheme `first`.
// docs/writing-a-plugin.md explains it.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "fsload/filesystem_interface.h"

namespace {

// What the host is to free comes from here, and so do the tables.
void* Allocate(size_t bytes) { return std::calloc(1, bytes); }

template <typename T>
T* Copy(const T& table) {
  return static_cast<T*>(std::memcpy(Allocate(sizeof(T)), &table, sizeof(T)));
}

char* Copy(const std::string& text) {
  return std::strcpy(static_cast<char*>(Allocate(text.size() + 1)),
                     text.c_str());
}

// Every operation sets its status, on success too.
void Answer(TF_Status* status, bool ok, const char* path) {
  if (ok) return TF_SetStatus(status, TF_OK, "");
  TF_SetStatusFromIOError(status, errno, path);
}

// A file's state is a pointer of the plugin's own: for reading the descriptor,
// plus one so that it is not null.
void* FromFd(int fd) { return reinterpret_cast<void*>(intptr_t{fd} + 1); }
int ToFd(const void* file) { return reinterpret_cast<intptr_t>(file) - 1; }

int64_t Read(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  size_t done = 0;
  while (done < n && offset + done <= INT64_MAX) {
    const ssize_t got =
        pread(ToFd(file->plugin_file), buffer + done, n - done, offset + done);
    if (got < 0) return Answer(status, false, "read"), -1;
    if (got == 0) break;
    done += got;
  }
  // Fewer than n bytes are the end of the file, and nothing else.
  TF_SetStatus(status, done < n ? TF_OUT_OF_RANGE : TF_OK, "");
  return done;
}

// cleanup is called in any case, also for a file that was not closed.
struct Writer {
  int fd;
};

Writer& Self(const TF_WritableFile* file) {
  return *static_cast<Writer*>(file->plugin_file);
}

void Append(const TF_WritableFile* file, const char* buffer, size_t n,
            TF_Status* status) {
  ssize_t written = 0;
  for (size_t done = 0; done < n && written >= 0; done += written) {
    written = write(Self(file).fd, buffer + done, n - done);
  }
  Answer(status, written >= 0, "append");
}

void OpenToRead(const TF_Filesystem*, const char* path,
                TF_RandomAccessFile* file, TF_Status* status) {
  struct stat info;
  if (stat(path, &info) != 0) return Answer(status, false, path);
  errno = EISDIR;
  if (S_ISDIR(info.st_mode)) return Answer(status, false, path);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  file->plugin_file = FromFd(fd);
  Answer(status, fd >= 0, path);
}

void OpenToWrite(const TF_Filesystem*, const char* path, TF_WritableFile* file,
                 TF_Status* status) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd >= 0) file->plugin_file = new Writer{fd};
  Answer(status, fd >= 0, path);
}

void Stat(const TF_Filesystem*, const char* path, TF_FileStatistics* stats,
          TF_Status* status) {
  struct stat info;
  if (stat(path, &info) != 0) return Answer(status, false, path);
  *stats = {info.st_size,
            info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec,
            S_ISDIR(info.st_mode)};
  Answer(status, true, path);
}

int GetChildren(const TF_Filesystem*, const char* path, char*** entries,
                TF_Status* status) {
  DIR* const directory = opendir(path);
  if (directory == nullptr) return Answer(status, false, path), -1;
  std::vector<std::string> names;
  errno = 0;  // readdir sets it, or is at the end
  while (const dirent* const entry = readdir(directory)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
    errno = 0;
  }
  const int error = errno;
  closedir(directory);
  errno = error;
  if (error != 0) return Answer(status, false, path), -1;
  *entries = static_cast<char**>(Allocate((names.size() + 1) * sizeof(char*)));
  for (size_t i = 0; i < names.size(); ++i) (*entries)[i] = Copy(names[i]);
  Answer(status, true, path);
  return names.size();
}

}  // namespace

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin) {
  TF_FilesystemOps ops = {};
  ops.init = [](TF_Filesystem*, TF_Status* status) {
    Answer(status, true, "");
  };
  ops.cleanup = [](TF_Filesystem*) {};
  ops.new_random_access_file = OpenToRead;
  ops.new_writable_file = OpenToWrite;
  ops.stat = Stat;
  ops.get_children = GetChildren;
  ops.path_exists = [](const TF_Filesystem*, const char* path,
                       TF_Status* status) {
    Answer(status, access(path, F_OK) == 0, path);
  };
  ops.create_dir = [](const TF_Filesystem*, const char* path,
                      TF_Status* status) {
    Answer(status, mkdir(path, 0777) == 0, path);
  };
  ops.delete_file = [](const TF_Filesystem*, const char* path,
                       TF_Status* status) {
    Answer(status, unlink(path) == 0, path);
  };
  ops.delete_dir = [](const TF_Filesystem*, const char* path,
                      TF_Status* status) {
    Answer(status, rmdir(path) == 0, path);
  };

  TF_RandomAccessFileOps reading = {};
  reading.cleanup = [](TF_RandomAccessFile* file) {
    close(ToFd(file->plugin_file));
  };
  reading.read = Read;

  TF_WritableFileOps writing = {};
  writing.cleanup = [](TF_WritableFile* file) {
    if (Self(file).fd >= 0) close(Self(file).fd);
    delete &Self(file);
  };
  writing.append = Append;
  writing.close = [](const TF_WritableFile* file, TF_Status* status) {
    const int fd = std::exchange(Self(file).fd, -1);
    Answer(status, close(fd) == 0, "close");
  };

  plugin->plugin_memory_allocate = Allocate;
  plugin->plugin_memory_free = std::free;
  plugin->num_schemes = 1;
  plugin->ops = Copy(TF_FilesystemPluginOps{});
  TF_SetFilesystemVersionMetadata(plugin->ops);
  plugin->ops->scheme = Copy(std::string("first"));
  plugin->ops->filesystem_ops = Copy(ops);
  plugin->ops->random_access_file_ops = Copy(reading);
  plugin->ops->writable_file_ops = Copy(writing);
}
