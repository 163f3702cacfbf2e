// A filesystem plugin in C, without the SDK: local files under the scheme
// `cskeleton`, with only the leaf operations, which no default of a host can
// replace. Replace the system calls by those of your store;
// docs/writing-a-plugin.md says the rest.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fsload/filesystem_interface.h"

#ifndef SCHEME
#define SCHEME "cskeleton"
#endif

// Everything the host gets comes from here, zeroed (L1064).
static void* Allocate(size_t size) { return calloc(1, size); }

static void Free(void* memory) { free(memory); }

static void* Copy(const void* bytes, size_t size) {
  void* copy = Allocate(size);
  return copy == NULL ? NULL : memcpy(copy, bytes, size);
}

// The status for a system call that returns -1 on failure.
static void SetStatus(int result, const char* path, TF_Status* status) {
  if (result < 0) {
    TF_SetStatusFromIOError(status, errno, path);
  } else {
    TF_SetStatus(status, TF_OK, "");
  }
}

// A file of either kind.
typedef struct File {
  int fd;
  int64_t position;  // of the next append
} File;

// Gives `fd` to a new file; null, with `fd` closed, if out of memory.
static File* NewFile(int fd, int64_t position) {
  File* file = malloc(sizeof(File));
  if (file == NULL) {
    close(fd);
    return NULL;
  }
  file->fd = fd;
  file->position = position;
  return file;
}

static void FreeFile(File* file) {
  if (file->fd >= 0) close(file->fd);
  free(file);
}

static void CleanupReadFile(TF_RandomAccessFile* file) {
  FreeFile(file->plugin_file);
}

static int64_t Read(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
                    char* buffer, TF_Status* status) {
  const File* self = file->plugin_file;
  size_t done = 0;
  // No file extends beyond the largest off_t.
  while (done < n && offset + done <= INT64_MAX) {
    const ssize_t got =
        pread(self->fd, buffer + done, n - done, (off_t)(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      SetStatus(-1, "read", status);
      return -1;
    }
    if (got == 0) break;
    done += (size_t)got;
  }
  // L229: fewer bytes only at the end of the file.
  TF_SetStatus(status, done < n ? TF_OUT_OF_RANGE : TF_OK,
               done < n ? "reached the end of the file" : "");
  return (int64_t)done;
}

static void CleanupWritableFile(TF_WritableFile* file) {
  FreeFile(file->plugin_file);
}

static void Append(const TF_WritableFile* file, const char* buffer, size_t n,
                   TF_Status* status) {
  File* self = file->plugin_file;
  for (size_t done = 0; done < n;) {
    const ssize_t written = write(self->fd, buffer + done, n - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      SetStatus(-1, "append", status);
      return;
    }
    done += (size_t)written;
    self->position += written;
  }
  TF_SetStatus(status, TF_OK, "");
}

static int64_t Tell(const TF_WritableFile* file, TF_Status* status) {
  const File* self = file->plugin_file;
  TF_SetStatus(status, TF_OK, "");
  return self->position;
}

static void Close(const TF_WritableFile* file, TF_Status* status) {
  File* self = file->plugin_file;
  const int result = close(self->fd);
  self->fd = -1;
  SetStatus(result, "close", status);
}

static void Init(TF_Filesystem* filesystem, TF_Status* status) {
  (void)filesystem;
  TF_SetStatus(status, TF_OK, "");
}

static void Cleanup(TF_Filesystem* filesystem) { (void)filesystem; }

static void NewRandomAccessFile(const TF_Filesystem* filesystem,
                                const char* path, TF_RandomAccessFile* file,
                                TF_Status* status) {
  (void)filesystem;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    SetStatus(-1, path, status);
    return;
  }
  struct stat info;
  if (fstat(fd, &info) != 0 || S_ISDIR(info.st_mode)) {
    // L353: a directory can be opened, but is not a file.
    close(fd);
    TF_SetStatusFromIOError(status, EISDIR, path);
    return;
  }
  file->plugin_file = NewFile(fd, 0);
  SetStatus(file->plugin_file == NULL ? -1 : 0, path, status);
}

static void OpenForWriting(const char* path, int flags, TF_WritableFile* file,
                           TF_Status* status) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
  if (fd < 0) {
    SetStatus(-1, path, status);
    return;
  }
  file->plugin_file = NewFile(fd, lseek(fd, 0, SEEK_END));
  SetStatus(file->plugin_file == NULL ? -1 : 0, path, status);
}

static void NewWritableFile(const TF_Filesystem* filesystem, const char* path,
                            TF_WritableFile* file, TF_Status* status) {
  (void)filesystem;
  OpenForWriting(path, O_TRUNC, file, status);
}

static void NewAppendableFile(const TF_Filesystem* filesystem, const char* path,
                              TF_WritableFile* file, TF_Status* status) {
  (void)filesystem;
  OpenForWriting(path, O_APPEND, file, status);
}

static void CreateDir(const TF_Filesystem* filesystem, const char* path,
                      TF_Status* status) {
  (void)filesystem;
  SetStatus(mkdir(path, 0777), path, status);
}

static void DeleteFile(const TF_Filesystem* filesystem, const char* path,
                       TF_Status* status) {
  (void)filesystem;
  SetStatus(unlink(path), path, status);
}

static void DeleteDir(const TF_Filesystem* filesystem, const char* path,
                      TF_Status* status) {
  (void)filesystem;
  SetStatus(rmdir(path), path, status);
}

static void PathExists(const TF_Filesystem* filesystem, const char* path,
                       TF_Status* status) {
  (void)filesystem;
  SetStatus(access(path, F_OK), path, status);
}

static void Stat(const TF_Filesystem* filesystem, const char* path,
                 TF_FileStatistics* stats, TF_Status* status) {
  (void)filesystem;
  struct stat info;
  const int result = stat(path, &info);
  SetStatus(result, path, status);
  if (result != 0) return;
  stats->length = info.st_size;
  // Years after 2262 cannot be represented; unsigned arithmetic wraps instead
  // of trapping.
  stats->mtime_nsec =
      (int64_t)((uint64_t)info.st_mtim.tv_sec * UINT64_C(1000000000) +
                (uint64_t)info.st_mtim.tv_nsec);
  stats->is_directory = S_ISDIR(info.st_mode);
}

// A growing list of names.
typedef struct Names {
  char** names;
  int count;
  int capacity;
} Names;

static void FreeNames(Names* list) {
  for (int i = 0; i < list->count; ++i) Free(list->names[i]);
  Free(list->names);
}

// False if out of memory.
static bool AddName(Names* list, const char* name) {
  if (list->count == list->capacity) {
    const int capacity = 2 * list->capacity + 16;
    char** larger = realloc(list->names, (size_t)capacity * sizeof(char*));
    if (larger == NULL) return false;
    list->names = larger;
    list->capacity = capacity;
  }
  char* copy = Copy(name, strlen(name) + 1);
  if (copy == NULL) return false;
  list->names[list->count++] = copy;
  return true;
}

static int GetChildren(const TF_Filesystem* filesystem, const char* path,
                       char*** entries, TF_Status* status) {
  (void)filesystem;
  DIR* directory = opendir(path);
  if (directory == NULL) {
    SetStatus(-1, path, status);
    return -1;
  }
  Names list = {0};
  bool good = true;
  for (;;) {
    errno = 0;  // tells an error from the end
    const struct dirent* entry = good ? readdir(directory) : NULL;
    if (entry == NULL) break;
    const char* name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
    good = AddName(&list, name);
  }
  const int error = good ? errno : ENOMEM;
  closedir(directory);
  if (error != 0) {
    // L660: on an error nothing is handed over.
    FreeNames(&list);
    errno = error;
    SetStatus(-1, path, status);
    return -1;
  }
  *entries = list.names;
  TF_SetStatus(status, TF_OK, "");
  return list.count;
}

static const TF_FilesystemOps kFilesystemOps = {
    .init = Init,
    .cleanup = Cleanup,
    .new_random_access_file = NewRandomAccessFile,
    .new_writable_file = NewWritableFile,
    .new_appendable_file = NewAppendableFile,
    .create_dir = CreateDir,
    .delete_file = DeleteFile,
    .delete_dir = DeleteDir,
    .path_exists = PathExists,
    .stat = Stat,
    .get_children = GetChildren,
};

static const TF_RandomAccessFileOps kReadOps = {
    .cleanup = CleanupReadFile,
    .read = Read,
};

static const TF_WritableFileOps kWriteOps = {
    .cleanup = CleanupWritableFile,
    .append = Append,
    .tell = Tell,
    .close = Close,
};

void TF_InitPlugin(TF_FilesystemPluginInfo* plugin_info) {
  plugin_info->plugin_memory_allocate = Allocate;
  plugin_info->plugin_memory_free = Free;
  plugin_info->num_schemes = 1;
  plugin_info->ops = Allocate(sizeof(TF_FilesystemPluginOps));
  TF_FilesystemPluginOps* ops = plugin_info->ops;
  TF_SetFilesystemVersionMetadata(ops);
  ops->scheme = Copy(SCHEME, sizeof(SCHEME));
  ops->filesystem_ops = Copy(&kFilesystemOps, sizeof(kFilesystemOps));
  ops->random_access_file_ops = Copy(&kReadOps, sizeof(kReadOps));
  ops->writable_file_ops = Copy(&kWriteOps, sizeof(kWriteOps));
}
