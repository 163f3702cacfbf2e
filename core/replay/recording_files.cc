#include "core/replay/recording_files.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "core/replay/recorded_call.h"
#include "core/replay/recording.h"
#include "core/tables/operations.h"

namespace fsload {
namespace {

// What plugin_file points to: the plugin's own wrapper, and what is said of it.
template <typename File>
struct OpenFile {
  Recording& recording;
  const std::string path;
  File inner = {nullptr};
  mutable std::atomic<uint64_t> length{0};  // of a memory region, once told
};

// All file wrappers consist of one pointer, under two names.
template <typename File>
OpenFile<File>& Opened(const File* file) {
  const auto& [pointer] = *file;
  return *static_cast<OpenFile<File>*>(pointer);
}

template <Op op, typename File>
void Open(const TF_Filesystem* filesystem, const char* path, File* file,
          TF_Status* status) {
  Recording& recording = RecordingOf(filesystem);
  std::unique_ptr<OpenFile<File>> opened(new OpenFile<File>{recording, path});
  RecordedCall call(recording, op, status, path);
  call.Run([&] {
    FunctionOf<op>(recording.tables)(&recording.filesystem, path,
                                     &opened->inner, status);
  });
  if (StatusReader(recording.tables.status).Code(status) != TF_OK) return;
  auto& [pointer] = *file;
  pointer = opened.release();
}

template <Op op, typename File>
void Cleanup(File* file) {
  const std::unique_ptr<OpenFile<File>> opened(&Opened(file));
  RecordedCall call(opened->recording, op, nullptr, opened->path);
  call.Run([&] { FunctionOf<op>(opened->recording.tables)(&opened->inner); });
}

int64_t Read(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  const OpenFile<TF_RandomAccessFile>& opened = Opened(file);
  RecordedCall call(opened.recording, Op::kRandomAccessFile_read, status,
                    opened.path, offset, uint64_t{n});
  return call.Run(
      [&] {
        return opened.recording.tables.random_access_file.read(
            &opened.inner, offset, n, buffer, status);
      },
      [&](JournalCall& record, int64_t count) {
        record.values = {count};
        const bool is_data =
            record.code == TF_OK || record.code == TF_OUT_OF_RANGE;
        if (!is_data || count <= 0 || static_cast<uint64_t>(count) > n) return;
        call.NoteContents(record, buffer, static_cast<size_t>(count));
      });
}

void Append(const TF_WritableFile* file, const char* buffer, size_t n,
            TF_Status* status) {
  const OpenFile<TF_WritableFile>& opened = Opened(file);
  RecordedCall call(opened.recording, Op::kWritableFile_append, status,
                    opened.path);
  call.AddContents(buffer, n);
  call.Run([&] {
    opened.recording.tables.writable_file.append(&opened.inner, buffer, n,
                                                 status);
  });
}

int64_t Tell(const TF_WritableFile* file, TF_Status* status) {
  const OpenFile<TF_WritableFile>& opened = Opened(file);
  RecordedCall call(opened.recording, Op::kWritableFile_tell, status,
                    opened.path);
  return call.Run(
      [&] {
        return opened.recording.tables.writable_file.tell(&opened.inner,
                                                          status);
      },
      [](JournalCall& record, int64_t position) {
        record.values = {position};
      });
}

template <Op op>
void WithStatus(const TF_WritableFile* file, TF_Status* status) {
  const OpenFile<TF_WritableFile>& opened = Opened(file);
  RecordedCall call(opened.recording, op, status, opened.path);
  call.Run(
      [&] { FunctionOf<op>(opened.recording.tables)(&opened.inner, status); });
}

const void* Data(const TF_ReadOnlyMemoryRegion* region) {
  const OpenFile<TF_ReadOnlyMemoryRegion>& opened = Opened(region);
  RecordedCall call(opened.recording, Op::kReadOnlyMemoryRegion_data, nullptr,
                    opened.path);
  return call.Run(
      [&] {
        return opened.recording.tables.read_only_memory_region.data(
            &opened.inner);
      },
      [&](JournalCall& record, const void* data) {
        call.NoteContents(record, data, opened.length);
      });
}

uint64_t Length(const TF_ReadOnlyMemoryRegion* region) {
  const OpenFile<TF_ReadOnlyMemoryRegion>& opened = Opened(region);
  RecordedCall call(opened.recording, Op::kReadOnlyMemoryRegion_length, nullptr,
                    opened.path);
  return call.Run(
      [&] {
        return opened.recording.tables.read_only_memory_region.length(
            &opened.inner);
      },
      [&](JournalCall& record, uint64_t bytes) {
        opened.length = bytes;
        record.values = {static_cast<int64_t>(bytes)};
      });
}

}  // namespace

void RecordFiles(SchemeTables& tables) {
#define FSLOAD_RECORD(table, operation, function) \
  if (tables.table.operation != nullptr) tables.table.operation = &function
  FSLOAD_RECORD(filesystem, new_random_access_file,
                Open<Op::kFilesystem_new_random_access_file>);
  FSLOAD_RECORD(filesystem, new_writable_file,
                Open<Op::kFilesystem_new_writable_file>);
  FSLOAD_RECORD(filesystem, new_appendable_file,
                Open<Op::kFilesystem_new_appendable_file>);
  FSLOAD_RECORD(filesystem, new_read_only_memory_region_from_file,
                Open<Op::kFilesystem_new_read_only_memory_region_from_file>);
  FSLOAD_RECORD(random_access_file, cleanup,
                Cleanup<Op::kRandomAccessFile_cleanup>);
  FSLOAD_RECORD(random_access_file, read, Read);
  FSLOAD_RECORD(writable_file, cleanup, Cleanup<Op::kWritableFile_cleanup>);
  FSLOAD_RECORD(writable_file, append, Append);
  FSLOAD_RECORD(writable_file, tell, Tell);
  FSLOAD_RECORD(writable_file, flush, WithStatus<Op::kWritableFile_flush>);
  FSLOAD_RECORD(writable_file, sync, WithStatus<Op::kWritableFile_sync>);
  FSLOAD_RECORD(writable_file, close, WithStatus<Op::kWritableFile_close>);
  FSLOAD_RECORD(read_only_memory_region, cleanup,
                Cleanup<Op::kReadOnlyMemoryRegion_cleanup>);
  FSLOAD_RECORD(read_only_memory_region, data, Data);
  FSLOAD_RECORD(read_only_memory_region, length, Length);
#undef FSLOAD_RECORD
}

}  // namespace fsload
