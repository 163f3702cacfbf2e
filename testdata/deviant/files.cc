#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "testdata/deviant/deviant.h"

namespace deviant {
namespace {

void NoteOnFile(const char* op, const void* file) {
  Note(op + std::string(" ") + *static_cast<const std::string*>(file));
  if (Is("throws_in_files")) throw std::runtime_error("out of luck");
}

// The private pointer of all three kinds of files is the path.
void* Open(const char* op, const char* path, bool must_exist,
           TF_Status* status) {
  if (FailsBecauseOf(op, path, status)) return nullptr;
  const bool exists = IsFile(path) || std::string_view(path) == "/unreadable";
  if (IsDirectory(path) || (must_exist && !exists)) {
    Fail(IsDirectory(path) ? TF_FAILED_PRECONDITION : TF_NOT_FOUND, "no file",
         status);
    return nullptr;
  }
  Succeed(status);
  return new std::string(path);
}

// Frees first: a cleanup that throws has still happened.
void Cleanup(const char* op, void* file) {
  const std::string path = *static_cast<std::string*>(file);
  delete static_cast<std::string*>(file);
  NoteOnFile(op, &path);
}

void NewRandomAccessFile(const TF_Filesystem*, const char* path,
                         TF_RandomAccessFile* file, TF_Status* status) {
  file->plugin_file = Open("new_random_access_file", path, true, status);
}

void NewWritableFile(const TF_Filesystem*, const char* path,
                     TF_WritableFile* file, TF_Status* status) {
  file->plugin_file = Open("new_writable_file", path, false, status);
}

void NewAppendableFile(const TF_Filesystem*, const char* path,
                       TF_WritableFile* file, TF_Status* status) {
  file->plugin_file = Open("new_appendable_file", path, false, status);
}

void NewReadOnlyMemoryRegionFromFile(const TF_Filesystem*, const char* path,
                                     TF_ReadOnlyMemoryRegion* region,
                                     TF_Status* status) {
  region->plugin_memory_region =
      Open("new_read_only_memory_region_from_file", path, true, status);
}

void CleanupReadFile(TF_RandomAccessFile* file) {
  Cleanup("cleanup_read", file->plugin_file);
}

int64_t FailedRead(size_t n, char* buffer, TF_Status* status) {
  Fail(TF_UNAVAILABLE, "the server is gone", status);
  if (Is("read_error_zero")) return 0;
  if (!Is("read_error_part")) return -1;
  std::memset(buffer, 'x', std::min<size_t>(n, 4));
  return std::min<size_t>(n, 4);
}

int64_t Read(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  NoteOnFile("read", file->plugin_file);
  if (Is("status_read_first") && TF_GetCode(status) != TF_OK) return -1;
  if (!IsFile(*static_cast<std::string*>(file->plugin_file))) {
    return FailedRead(n, buffer, status);
  }
  if (Is("read_negative")) return -1;
  const size_t most = Is("read_short") ? std::min<size_t>(n, 3) : n;
  const size_t count =
      offset > kContents.size()
          ? 0
          : kContents.copy(buffer, most, static_cast<size_t>(offset));
  if (count == n || Is("read_short")) {
    Succeed(status);
    return count;
  }
  if (Is("read_too_much")) return n + 1;
  Fail(TF_OUT_OF_RANGE, "the end", status);
  return Is("read_range_negative") ? -1 : static_cast<int64_t>(count);
}

void CleanupWritableFile(TF_WritableFile* file) {
  Cleanup("cleanup_writable", file->plugin_file);
}

void Append(const TF_WritableFile* file, const char*, size_t,
            TF_Status* status) {
  NoteOnFile("append", file->plugin_file);
  Succeed(status);
}

int64_t Tell(const TF_WritableFile* file, TF_Status* status) {
  NoteOnFile("tell", file->plugin_file);
  Succeed(status);
  return Is("tell_negative") ? -1 : 0;
}

void Flush(const TF_WritableFile* file, TF_Status* status) {
  NoteOnFile("flush", file->plugin_file);
  Succeed(status);
}

void Sync(const TF_WritableFile* file, TF_Status* status) {
  NoteOnFile("sync", file->plugin_file);
  Succeed(status);
}

void Close(const TF_WritableFile* file, TF_Status* status) {
  NoteOnFile("close", file->plugin_file);
  Succeed(status);
}

void CleanupRegion(TF_ReadOnlyMemoryRegion* region) {
  Cleanup("cleanup_region", region->plugin_memory_region);
}

const void* Data(const TF_ReadOnlyMemoryRegion* region) {
  NoteOnFile("data", region->plugin_memory_region);
  return Is("region_data_null") ? nullptr : kContents.data();
}

uint64_t Length(const TF_ReadOnlyMemoryRegion* region) {
  NoteOnFile("length", region->plugin_memory_region);
  return kContents.size();
}

}  // namespace

const TF_RandomAccessFileOps kReadOps = {CleanupReadFile, Read};
const TF_WritableFileOps kWriteOps = {
    CleanupWritableFile, Append, Tell, Flush, Sync, Close};
const TF_ReadOnlyMemoryRegionOps kRegionOps = {CleanupRegion, Data, Length};

void AddOpeners(TF_FilesystemOps* ops) {
  ops->new_random_access_file = NewRandomAccessFile;
  ops->new_writable_file = NewWritableFile;
  ops->new_appendable_file = NewAppendableFile;
  ops->new_read_only_memory_region_from_file = NewReadOnlyMemoryRegionFromFile;
}

}  // namespace deviant
