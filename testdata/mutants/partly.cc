// Mutants that are right where all goes well, and wrong where an operation
// fails when it has begun.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"

namespace mutants {
namespace {

// --- copy_file ---

// Copies to the end of `from`; 0 or an errno value.
int CopyBytes(int from, int to) {
  char buffer[1 << 15];
  for (;;) {
    const ssize_t got = read(from, buffer, sizeof(buffer));
    if (got <= 0) return got < 0 ? errno : 0;
    for (ssize_t done = 0; done < got;) {
      const ssize_t written = write(to, buffer + done, got - done);
      if (written < 0) return errno;
      done += written;
    }
  }
}

int OpenSource(const char* path) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int OpenTarget(const char* path) {
  return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

// Copies between two open files and closes both.
int CopyAndClose(int from, int to) {
  int error = errno;
  if (from >= 0 && to >= 0) error = CopyBytes(from, to);
  if (from >= 0) close(from);
  if (to >= 0) close(to);
  return error;
}

// 0 or an errno value.
int CopyInPlace(const char* src, const char* dst) {
  const int from = OpenSource(src);
  const int to = from < 0 ? -1 : OpenTarget(dst);
  return CopyAndClose(from, to);
}

int CopyFromTargetOn(const char* src, const char* dst) {
  const int to = OpenTarget(dst);
  const int from = to < 0 ? -1 : OpenSource(src);
  return CopyAndClose(from, to);
}

int CopyAndDeleteOnError(const char* src, const char* dst) {
  const int error = CopyInPlace(src, dst);
  if (error != 0) unlink(dst);
  return error;
}

// To a file of another name, which an error leaves there.
int CopyBeside(const char* src, const char* dst) {
  const std::string beside = std::string(dst) + ".part";
  const int error = CopyInPlace(src, beside.c_str());
  if (error != 0) return error;
  return rename(beside.c_str(), dst) == 0 ? 0 : errno;
}

// Puts a new file there whatever could be read of the old one.
int CopyReadableBeside(const char* src, const char* dst) {
  const std::string beside = std::string(dst) + ".part";
  const int error = CopyInPlace(src, beside.c_str());
  if (error != 0 && error != EIO) {
    unlink(beside.c_str());
    return error;
  }
  return rename(beside.c_str(), dst) == 0 ? 0 : errno;
}

bool IsSameFile(const char* a, const char* b) {
  struct stat left;
  struct stat right;
  return stat(a, &left) == 0 && stat(b, &right) == 0 &&
         left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

// Whether a regular file is moved or copied to a path that can be one.
bool IsPlain(const MoveCall& call) {
  return KindOf(call.fs, call.src) == Kind::kFile &&
         KindOf(call.fs, call.dst) != Kind::kDirectory &&
         KindOf(call.fs, ParentOf(call.dst)) == Kind::kDirectory &&
         !IsSameFile(call.src, call.dst);
}

void SetError(int error, const char* path, TF_Status* status) {
  if (error == 0) return Succeed(status);
  TF_SetStatusFromIOError(status, error, path);
}

template <int (*copy)(const char* src, const char* dst)>
void CopiesBy(MoveCall call) {
  if (!IsPlain(call)) return call.Right();
  SetError(copy(call.src, call.dst), call.src, call.status);
}

// --- rename_file ---

template <int (*copy)(const char* src, const char* dst)>
void RenamesBy(MoveCall call) {
  if (!IsPlain(call)) return call.Right();
  const int error = copy(call.src, call.dst);
  if (error == 0) unlink(call.src);
  SetError(error, call.src, call.status);
}

void RenamesByCopyingAll(MoveCall call) {
  if (!IsPlain(call)) return call.Right();
  CopyInPlace(call.src, call.dst);
  unlink(call.src);
  Succeed(call.status);
}

// --- Reading and writing ---

int64_t ErrorIsEnd(ReadCall call) {
  const int64_t count = call.Right();
  if (count >= 0) return count;
  TF_SetStatus(call.status, TF_OUT_OF_RANGE, "reached the end of the file");
  return 0;
}

int64_t ErrorIsZeros(ReadCall call) {
  const int64_t count = call.Right();
  if (count >= 0) return count;
  for (size_t i = 0; i < call.n; ++i) call.buffer[i] = 0;
  Succeed(call.status);
  return static_cast<int64_t>(call.n);
}

// A short write is all that is looked for.
void TooLargeIsOk(AppendCall call) {
  call.Right();
  if (TF_GetCode(call.status) != TF_RESOURCE_EXHAUSTED) Succeed(call.status);
}

void EmptiesOnError(AppendCall call) {
  call.Right();
  if (IsOk(call.status)) return;
  const FileState& state = StateOf(call.file->plugin_file);
  if (truncate(state.path.c_str(), 0) != 0) return;
}

void DeletesOnError(AppendCall call) {
  call.Right();
  if (!IsOk(call.status)) unlink(StateOf(call.file->plugin_file).path.c_str());
}

void SavesBesideOnError(AppendCall call) {
  call.Right();
  if (IsOk(call.status)) return;
  const std::string beside = StateOf(call.file->plugin_file).path + ".rest";
  const int file = OpenTarget(beside.c_str());
  if (file >= 0) close(file);
}

void EmptiesBeforeOpening(OpenWriteCall call) {
  if (KindOf(call.fs, call.path) == Kind::kFile &&
      truncate(call.path, 0) != 0) {
    return call.Right();
  }
  call.Right();
}

// --- Without descriptors ---

int ListsNothing(const TF_Filesystem* fs, const char* path, char*** entries,
                 TF_Status* status) {
  const int count = g_right.fs.get_children(fs, path, entries, status);
  if (TF_GetCode(status) != TF_RESOURCE_EXHAUSTED) return count;
  Succeed(status);
  *entries = nullptr;
  return 0;
}

void CountsNothing(const TF_Filesystem* fs, const char* path,
                   uint64_t* undeleted_files, uint64_t* undeleted_dirs,
                   TF_Status* status) {
  g_right.fs.delete_recursively(fs, path, undeleted_files, undeleted_dirs,
                                status);
  if (TF_GetCode(status) != TF_RESOURCE_EXHAUSTED) return;
  *undeleted_files = *undeleted_dirs = 0;
}

void DeletesNothing(const TF_Filesystem* fs, const char* path,
                    uint64_t* undeleted_files, uint64_t* undeleted_dirs,
                    TF_Status* status) {
  CountsNothing(fs, path, undeleted_files, undeleted_dirs, status);
  if (TF_GetCode(status) == TF_RESOURCE_EXHAUSTED) Succeed(status);
}

}  // namespace

Changes PartlyChanges() {
  return {
      {"posix.copy-in-place", Moves<&Fs::copy_file, CopiesBy<CopyInPlace>>},
      {"posix.copy-opens-target-first",
       Moves<&Fs::copy_file, CopiesBy<CopyFromTargetOn>>},
      {"posix.failed-copy-deletes-target",
       Moves<&Fs::copy_file, CopiesBy<CopyAndDeleteOnError>>},
      {"posix.failed-copy-leaves-part",
       Moves<&Fs::copy_file, CopiesBy<CopyBeside>>},
      {"posix.copy-takes-read-error-for-end",
       Moves<&Fs::copy_file, CopiesBy<CopyReadableBeside>>},
      {"posix.rename-by-copying",
       Moves<&Fs::rename_file, RenamesBy<CopyInPlace>>},
      {"posix.rename-by-copying-deletes-source",
       Moves<&Fs::rename_file, RenamesByCopyingAll>},
      {"posix.rename-by-copying-leaves-part",
       Moves<&Fs::rename_file, RenamesBy<CopyBeside>>},
      {"posix.read-error-is-end", Reads<ErrorIsEnd>},
      {"posix.read-error-is-zeros", Reads<ErrorIsZeros>},
      {"posix.append-too-large-is-ok", Appends<TooLargeIsOk>},
      {"posix.failed-append-empties",
       All<kRememberWrites, Appends<EmptiesOnError>>},
      {"posix.failed-append-deletes",
       All<kRememberWrites, Appends<DeletesOnError>>},
      {"posix.failed-append-leaves-rest",
       All<kRememberWrites, Appends<SavesBesideOnError>>},
      {"posix.failed-new-file-empties",
       Opens<&Fs::new_writable_file, EmptiesBeforeOpening>},
      {"posix.list-without-descriptors-is-empty",
       Put<&Fs::get_children, ListsNothing>},
      {"posix.open-without-descriptors-is-not-found",
       After<&Fs::new_random_access_file,
             Recode<TF_RESOURCE_EXHAUSTED, TF_NOT_FOUND>>},
      {"posix.region-without-descriptors-is-invalid",
       After<&Fs::new_read_only_memory_region_from_file,
             Recode<TF_RESOURCE_EXHAUSTED, TF_INVALID_ARGUMENT>>},
      {"posix.delete-tree-without-descriptors-is-ok",
       Put<&Fs::delete_recursively, DeletesNothing>},
      {"posix.delete-tree-without-descriptors-counts-none",
       Put<&Fs::delete_recursively, CountsNothing>},
  };
}

}  // namespace mutants
