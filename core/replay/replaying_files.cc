// The part of the replaying tables that is about files.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "core/replay/replaying.h"
#include "core/replay/replaying_tables.h"
#include "core/tables/operations.h"

namespace fsload {
namespace {

// What plugin_file points to.
struct ReplayedFile {
  const Replaying& replaying;
  const std::string path;
  const JournalCall* data = nullptr;  // of a memory region
};

// All file wrappers consist of one pointer, under two names.
template <typename File>
const ReplayedFile& Opened(const File* file) {
  const auto& [pointer] = *file;
  return *static_cast<const ReplayedFile*>(pointer);
}

template <Op op, typename File>
void Open(const TF_Filesystem* filesystem, const char* path, File* file,
          TF_Status* status) {
  const Replaying& replaying = ReplayingOf(filesystem);
  auto opened = std::make_unique<ReplayedFile>(ReplayedFile{replaying, path});
  const JournalCall* const answer =
      ReplayQuery(replaying, op, path).Answer(status);
  if (answer == nullptr || answer->code != TF_OK) return;
  if constexpr (std::is_same_v<File, TF_ReadOnlyMemoryRegion>) {
    // data and length have no status, so the region is found here.
    opened->data = ReplayQuery(replaying, Op::kReadOnlyMemoryRegion_data, path)
                       .Answer(status);
    if (opened->data == nullptr || opened->data->code != TF_OK) return;
  }
  auto& [pointer] = *file;
  pointer = opened.release();
}

template <typename File>
void CleanupFile(File* file) {
  delete &Opened(file);
}

int64_t Read(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  const ReplayedFile& opened = Opened(file);
  const JournalCall* const answer =
      ReplayQuery(opened.replaying, Op::kRandomAccessFile_read, opened.path,
                  offset, uint64_t{n})
          .Answer(status);
  if (answer == nullptr) return -1;
  // No more than n, which CheckShape saw to.
  std::copy_n(answer->bytes.data(), answer->bytes.size(), buffer);
  // A plugin may have claimed more than it read: that is for the host to
  // refuse, but bytes that the journal lacks must not be made up.
  const int64_t count = answer->values.empty() ? -1 : answer->values.front();
  const bool impossible = count < 0 || static_cast<uint64_t>(count) > n;
  return impossible ? count : static_cast<int64_t>(answer->bytes.size());
}

void Append(const TF_WritableFile* file, const char* buffer, size_t n,
            TF_Status* status) {
  const ReplayedFile& opened = Opened(file);
  ReplayQuery(opened.replaying, Op::kWritableFile_append, opened.path,
              std::string(buffer, n))
      .Answer(status);
}

int64_t Tell(const TF_WritableFile* file, TF_Status* status) {
  const ReplayedFile& opened = Opened(file);
  const JournalCall* const answer =
      ReplayQuery(opened.replaying, Op::kWritableFile_tell, opened.path)
          .Answer(status);
  return answer == nullptr || answer->values.empty() ? -1
                                                     : answer->values.front();
}

template <Op op>
void WithStatus(const TF_WritableFile* file, TF_Status* status) {
  const ReplayedFile& opened = Opened(file);
  ReplayQuery(opened.replaying, op, opened.path).Answer(status);
}

const void* Data(const TF_ReadOnlyMemoryRegion* region) {
  return Opened(region).data->bytes.data();
}

uint64_t Length(const TF_ReadOnlyMemoryRegion* region) {
  return Opened(region).data->bytes.size();
}

}  // namespace

void ReplayFiles(SchemeTables& tables) {
  TF_FilesystemOps& ops = tables.filesystem;
  ops.new_random_access_file = &Open<Op::kFilesystem_new_random_access_file>;
  ops.new_writable_file = &Open<Op::kFilesystem_new_writable_file>;
  ops.new_appendable_file = &Open<Op::kFilesystem_new_appendable_file>;
  ops.new_read_only_memory_region_from_file =
      &Open<Op::kFilesystem_new_read_only_memory_region_from_file>;
  tables.random_access_file = {&CleanupFile, &Read};
  tables.writable_file = {&CleanupFile,
                          &Append,
                          &Tell,
                          &WithStatus<Op::kWritableFile_flush>,
                          &WithStatus<Op::kWritableFile_sync>,
                          &WithStatus<Op::kWritableFile_close>};
  tables.read_only_memory_region = {&CleanupFile, &Data, &Length};
}

}  // namespace fsload
