#include "tools/files/standard_streams.h"

#include <fmt/format.h>

#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/path.h"
#include "core/read_ahead.h"
#include "tools/files/interruption.h"
#include "tools/files/places.h"
#include "tools/files/replaced_mode.h"
#include "tools/files/source.h"
#include "tools/files/unfinished_work.h"
#include "tools/output.h"

namespace fsload {
namespace {

// Yields how many bytes were written.
absl::StatusOr<int64_t> Write(WritableFile& file, Progress& progress) {
  Source input = Source::StandardInput();
  const std::unique_ptr<char[]> buffer(new char[kBlockBytes]);
  for (int64_t written = 0;;) {
    const absl::StatusOr<size_t> bytes = input.Read(buffer.get(), kBlockBytes);
    if (!bytes.ok()) return bytes.status();
    if (*bytes == 0) {
      // Stores (that of s3) make no object where nothing is appended.
      const absl::Status appended =
          written == 0 ? file.Append("") : absl::OkStatus();
      if (!appended.ok() && !absl::IsUnimplemented(appended)) return appended;
      const absl::Status closed = file.Close();
      if (!closed.ok() && !absl::IsUnimplemented(closed)) return closed;
      return written;
    }
    const absl::Status status = file.Append({buffer.get(), *bytes});
    if (!status.ok()) return status;
    written += static_cast<int64_t>(*bytes);
    progress.AddBytes(static_cast<int64_t>(*bytes));
  }
}

// `opened` becomes whether what was at `place` is lost.
absl::Status WriteVerified(const Place& place, Progress& progress,
                           bool& opened) {
  absl::StatusOr<std::unique_ptr<WritableFile>> file =
      place.file_system->NewWritableFile(place.uri);
  opened = file.ok();
  if (!opened) return file.status();
  const absl::StatusOr<int64_t> bytes = Write(**file, progress);
  file->reset();
  if (!bytes.ok()) return bytes.status();
  const absl::StatusOr<FileStatistics> found =
      place.file_system->Stat(place.uri);
  if (!found.ok()) return found.status();
  if (found->length == *bytes) return absl::OkStatus();
  return absl::DataLossError(
      fmt::format("{}: wanted {} bytes, found {}; the copy is not whole",
                  place.uri, *bytes, found->length));
}

std::string TemporaryNameBeside(const std::string& uri) {
  std::random_device random;
  const uint64_t high = random();
  return JoinPath(Dirname(uri),
                  fmt::format(".fsload-{:016x}", high << 32 | random()));
}

absl::Status With(const absl::Status& error, const std::string& text) {
  return {error.code(), std::string(error.message()) + "; " + text};
}

absl::Status NotReplaced(const Place& target) {
  return absl::AlreadyExistsError(
      target.uri + ": wanted nothing, found a file; it is not replaced");
}

// `error`, after what it left at `place` was deleted.
absl::Status AfterDeletion(const absl::Status& error, const Place& place) {
  const absl::Status deleted = place.file_system->DeleteFile(place.uri);
  if (deleted.ok() || LookAt(place).existing == Existing::kNothing) {
    return error;
  }
  return With(error, "left over: " + place.uri + " (" +
                         std::string(deleted.message()) + ")");
}

}  // namespace

absl::Status CopyToStandardOutput(const Place& source, Progress& progress) {
  const absl::StatusOr<std::unique_ptr<RandomAccessFile>> file =
      source.file_system->NewRandomAccessFile(source.uri);
  if (!file.ok()) return file.status();
  ReadAhead blocks(**file);
  for (;;) {
    absl::Status status = CheckInterruption();
    if (!status.ok()) return status;
    const absl::StatusOr<std::string_view> block = blocks.Next();
    if (!block.ok()) return block.status();
    if (block->empty() || !Print(*block)) return absl::OkStatus();
    progress.AddBytes(static_cast<int64_t>(block->size()));
  }
}

absl::Status CopyFromStandardInput(const Place& target, bool replaces,
                                   Progress& progress) {
  const Look found = LookAt(target);
  if (!found.status.ok()) return found.status;
  if (found.existing == Existing::kDirectory || target.uri.back() == '/') {
    return absl::FailedPreconditionError(
        target.uri +
        ": wanted a file's path, found a directory's; what "
        "comes from standard input has no name to have in it");
  }
  const bool existed = found.existing == Existing::kFile;
  if (existed && !replaces) return NotReplaced(target);
  const bool renames =
      target.file_system->tables().filesystem.rename_file != nullptr;
  const Place written =
      renames ? target.At(TemporaryNameBeside(target.uri)) : target;
  const ReplacedMode mode(target);
  const UnfinishedWork work(written.uri + " may be a part of " + target.uri);
  bool opened = false;
  absl::Status status = WriteVerified(written, progress, opened);
  // All that came has taken its time: there may be one by now.
  if (status.ok() && renames && !replaces &&
      LookAt(target).existing != Existing::kNothing) {
    status = NotReplaced(target);
  }
  if (status.ok() && renames) status = mode.GiveTo(written);
  if (status.ok() && renames) {
    status = target.file_system->RenameFile(written.uri, target.uri);
  }
  if (status.ok()) return status;
  if (existed && !renames) {
    return opened
               ? With(status, target.uri + " was there, and is not what it was")
               : status;
  }
  return AfterDeletion(status, written);
}

}  // namespace fsload
