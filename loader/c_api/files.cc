// Open files.
#include "fsload/c/files.h"

#include <memory>
#include <string_view>
#include <utility>

#include "fsload/file_system.h"
#include "loader/c_api/boundary.h"

// Each with its name as an argument.

struct fsload_reader {
  static constexpr char kName[] = "reader";
  std::unique_ptr<fsload::RandomAccessFile> file;
};

struct fsload_writer {
  static constexpr char kName[] = "writer";
  std::unique_ptr<fsload::WritableFile> file;
};

struct fsload_region {
  static constexpr char kName[] = "region";
  std::unique_ptr<fsload::ReadOnlyMemoryRegion> file;
};

namespace {

using fsload::AtBoundary;
using fsload::FileSystem;

// Makes *handle what `open`, a method of FileSystem, opens.
template <typename Handle, typename File>
fsload_code Open(const char* function,
                 absl::StatusOr<std::unique_ptr<File>> (FileSystem::*open)(
                     std::string_view) const,
                 fsload_registry* registry, const char* uri, Handle** handle,
                 fsload_error** error) {
  if (handle != nullptr) *handle = nullptr;
  return AtBoundary(
      error, function, {{"uri", uri}, {Handle::kName, handle}}, [&] {
        const auto file_system = fsload::FileSystemFor(registry, uri);
        if (!file_system.ok()) return file_system.status();
        // Made before the file, so that an old one is not emptied in vain.
        auto made = std::make_unique<Handle>();
        auto file = ((**file_system).*open)(uri);
        if (!file.ok()) return file.status();
        made->file = *std::move(file);
        *handle = made.release();
        return absl::OkStatus();
      });
}

// Calls `use`, a method of WritableFile.
fsload_code Use(const char* function,
                absl::Status (fsload::WritableFile::*use)(),
                fsload_writer* writer, fsload_error** error) {
  return AtBoundary(error, function, {{"writer", writer}},
                    [&] { return (*writer->file.*use)(); });
}

}  // namespace

fsload_code fsload_open_reader(fsload_registry* registry, const char* uri,
                               fsload_reader** reader, fsload_error** error) {
  return Open("fsload_open_reader", &FileSystem::NewRandomAccessFile, registry,
              uri, reader, error);
}

fsload_code fsload_read(const fsload_reader* reader, uint64_t offset,
                        void* buffer, size_t size, size_t* count,
                        fsload_error** error) {
  if (count != nullptr) *count = 0;
  // Room for no bytes may be nowhere.
  char none = 0;
  void* const room = size == 0 && buffer == nullptr ? &none : buffer;
  return AtBoundary(
      error, "fsload_read",
      {{"reader", reader}, {"buffer", room}, {"count", count}}, [&] {
        const absl::StatusOr<size_t> bytes =
            reader->file->Read(offset, size, static_cast<char*>(room));
        if (bytes.ok()) *count = *bytes;
        return bytes.status();
      });
}

void fsload_reader_free(fsload_reader* reader) { delete reader; }

fsload_code fsload_open_writer(fsload_registry* registry, const char* uri,
                               fsload_writer** writer, fsload_error** error) {
  return Open("fsload_open_writer", &FileSystem::NewWritableFile, registry, uri,
              writer, error);
}

fsload_code fsload_open_appender(fsload_registry* registry, const char* uri,
                                 fsload_writer** writer, fsload_error** error) {
  return Open("fsload_open_appender", &FileSystem::NewAppendableFile, registry,
              uri, writer, error);
}

fsload_code fsload_append(fsload_writer* writer, const void* data, size_t size,
                          fsload_error** error) {
  const void* const bytes = size == 0 && data == nullptr ? "" : data;
  return AtBoundary(
      error, "fsload_append", {{"writer", writer}, {"data", bytes}}, [&] {
        return writer->file->Append({static_cast<const char*>(bytes), size});
      });
}

fsload_code fsload_tell(fsload_writer* writer, int64_t* position,
                        fsload_error** error) {
  return AtBoundary(
      error, "fsload_tell", {{"writer", writer}, {"position", position}}, [&] {
        const absl::StatusOr<int64_t> found = writer->file->Tell();
        if (found.ok()) *position = *found;
        return found.status();
      });
}

fsload_code fsload_flush(fsload_writer* writer, fsload_error** error) {
  return Use("fsload_flush", &fsload::WritableFile::Flush, writer, error);
}

fsload_code fsload_sync(fsload_writer* writer, fsload_error** error) {
  return Use("fsload_sync", &fsload::WritableFile::Sync, writer, error);
}

fsload_code fsload_close(fsload_writer* writer, fsload_error** error) {
  return Use("fsload_close", &fsload::WritableFile::Close, writer, error);
}

void fsload_discard(fsload_writer* writer) {
  if (writer != nullptr) writer->file->Discard();
}

void fsload_writer_free(fsload_writer* writer) {
  fsload_discard(writer);
  delete writer;
}

fsload_code fsload_open_region(fsload_registry* registry, const char* uri,
                               fsload_region** region, fsload_error** error) {
  return Open("fsload_open_region",
              &FileSystem::NewReadOnlyMemoryRegionFromFile, registry, uri,
              region, error);
}

const void* fsload_region_data(const fsload_region* region) {
  return region == nullptr ? nullptr : region->file->data();
}

uint64_t fsload_region_size(const fsload_region* region) {
  return region == nullptr ? 0 : region->file->length();
}

void fsload_region_free(fsload_region* region) { delete region; }
