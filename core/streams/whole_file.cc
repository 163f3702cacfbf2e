#include "fsload/whole_file.h"

#include <algorithm>
#include <memory>

#include "absl/strings/cord.h"
#include "core/calls/plugin_call.h"
#include "core/file_system/plugin_file_system.h"
#include "core/files/read_ahead.h"
#include "core/streams/memory_file_source.h"
#include "core/streams/unchanged.h"
#include "fsload/buffered_writer.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr Op kRead = Op::kRandomAccessFile_read;

absl::Status IsTooLong(std::string_view uri, int64_t max_bytes) {
  return absl::ResourceExhaustedError(CallMessage(
      kRead, uri,
      Format("the file has more than {} bytes, the limit for reading it whole",
             max_bytes)));
}

// All of a file whose length is about `length`, unless that is too long.
absl::StatusOr<std::string> ReadAll(const FileSystem& file_system,
                                    std::string_view uri, int64_t length,
                                    int64_t max_bytes) {
  // A length is only what the plugin says.
  constexpr int64_t kMaxAtOnce = int64_t{1} << 28;
  const absl::StatusOr<std::unique_ptr<RandomAccessFile>> file =
      file_system.NewRandomAccessFile(uri);
  if (!file.ok()) return file.status();
  const ByteRange range = {0, static_cast<uint64_t>(max_bytes) + 1};
  ReadAhead blocks(**file, ReadAheadSizeFor(TablesOf(file_system).traits),
                   length, range);
  std::string contents;
  contents.reserve(std::clamp<int64_t>(length, 0, kMaxAtOnce));
  for (;;) {
    const absl::StatusOr<std::string_view> block = blocks.Next();
    if (!block.ok()) return block.status();
    if (block->empty()) return contents;
    contents += *block;
    if (contents.size() > static_cast<uint64_t>(max_bytes)) {
      return IsTooLong(uri, max_bytes);
    }
  }
}

// OK if `bytes` can be all of a file.
absl::Status CheckRead(const FileSystem& file_system, std::string_view uri,
                       int64_t bytes, const FileStatistics& before) {
  const absl::StatusOr<FileStatistics> after = file_system.Stat(uri);
  if (!after.ok()) return after.status();
  const absl::Status unchanged = CheckUnchanged(uri, before, *after);
  if (!unchanged.ok()) return unchanged;
  // Files of /proc report 0 bytes and have more, those of /sys have fewer.
  if (bytes == after->length || after->length == 0 ||
      TablesOf(file_system).traits.is_exact) {
    return absl::OkStatus();
  }
  return absl::DataLossError(CallMessage(
      kRead, uri,
      bytes < after->length
          ? Format("the plugin reported end of file after {} of {} bytes",
                   bytes, after->length)
          : Format("the plugin reported a length of {} bytes, and read {}",
                   after->length, bytes)));
}

// `error` of writing `uri`, which may have been met at a temporary name.
absl::Status Naming(std::string_view uri, const absl::Status& error) {
  const std::string message(error.message());
  if (error.ok() || message.compare(0, uri.size(), uri) == 0) return error;
  absl::Status named(error.code(), Format("{}: not written: {}", uri, message));
  error.ForEachPayload([&](absl::string_view key, const absl::Cord& value) {
    named.SetPayload(key, value);
  });
  return named;
}

}  // namespace

absl::StatusOr<std::string> ReadWholeFile(const FileSystem& file_system,
                                          std::string_view uri,
                                          int64_t max_bytes) {
  max_bytes = std::max<int64_t>(max_bytes, 0);
  const absl::StatusOr<FileStatistics> before = file_system.Stat(uri);
  if (!before.ok()) return before.status();
  if (before->is_directory) return NotAFile(kRead, uri);
  if (before->length > max_bytes) return IsTooLong(uri, max_bytes);
  absl::StatusOr<std::string> contents =
      ReadAll(file_system, uri, before->length, max_bytes);
  if (!contents.ok()) return contents;
  const absl::Status status = CheckRead(
      file_system, uri, static_cast<int64_t>(contents->size()), *before);
  if (!status.ok()) return status;
  return contents;
}

absl::StatusOr<std::string> ReadWholeFile(std::string_view uri,
                                          int64_t max_bytes,
                                          SchemeRegistry& registry) {
  const absl::StatusOr<FileSystemPtr> file_system = registry.Resolve(uri);
  if (!file_system.ok()) return file_system.status();
  return ReadWholeFile(**file_system, uri, max_bytes);
}

absl::Status WriteWholeFile(const FileSystem& file_system, std::string_view uri,
                            std::string_view contents) {
  BufferedWriterOptions options;
  options.buffer_bytes = 0;
  const auto writer = BufferedWriter::Open(file_system, uri, options);
  if (!writer.ok()) return writer.status();
  const absl::Status status = (*writer)->Append(contents);
  return status.ok() ? (*writer)->Close() : status;
}

absl::Status WriteWholeFile(std::string_view uri, std::string_view contents,
                            SchemeRegistry& registry) {
  const absl::StatusOr<FileSystemPtr> file_system = registry.Resolve(uri);
  if (!file_system.ok()) return file_system.status();
  return WriteWholeFile(**file_system, uri, contents);
}

absl::Status WriteFileAtomically(const FileSystem& file_system,
                                 std::string_view uri,
                                 std::string_view contents) {
  const absl::StatusOr<FileSystemPtr> given = MemoryFileSource(contents);
  if (!given.ok()) return Naming(uri, given.status());
  return Naming(uri, (*given)->CopyFileAs(kMemoryFileSource, file_system, uri));
}

absl::Status WriteFileAtomically(std::string_view uri,
                                 std::string_view contents,
                                 SchemeRegistry& registry) {
  const absl::StatusOr<FileSystemPtr> file_system = registry.Resolve(uri);
  if (!file_system.ok()) return file_system.status();
  return WriteFileAtomically(**file_system, uri, contents);
}

}  // namespace fsload
