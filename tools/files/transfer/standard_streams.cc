#include "tools/files/transfer/standard_streams.h"

#include <cerrno>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/strings/str_replace.h"
#include "core/calls/plugin_call.h"
#include "core/copies/verified_copy.h"
#include "core/file_system/plugin_file_system.h"
#include "core/files/read_ahead.h"
#include "core/paths/path.h"
#include "fsload/copy_options.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_location.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/locations/store_objects.h"
#include "tools/files/output/file_progress.h"
#include "tools/files/transfer/replaced_mode.h"
#include "tools/files/transfer/temporary_file.h"
#include "tools/session/unfinished_work.h"
#include "tools/text/output.h"

namespace fsload {
namespace {

// Identifies contents that are gone when they are compared: the number of
// bytes, and a hash (FNV-1a).
struct Contents {
  int64_t bytes = 0;
  uint64_t hash = 0xcbf29ce484222325;

  void Add(std::string_view block) {
    bytes += static_cast<int64_t>(block.size());
    for (const char byte : block) {
      hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    }
  }
};

// Appends all of `input` to `file`.
absl::Status Write(Source& input, WritableFile& file, FileProgress& progress,
                   Contents& written) {
  for (;;) {
    const absl::StatusOr<std::string_view> bytes = input.Next();
    if (!bytes.ok()) return bytes.status();
    if (bytes->empty()) {
      // Stores (s3) make no object if nothing is appended.
      const absl::Status appended =
          written.bytes == 0 ? file.Append("") : absl::OkStatus();
      return absl::IsUnimplemented(appended) ? absl::OkStatus() : appended;
    }
    const absl::Status status = file.Append(*bytes);
    if (!status.ok()) return status;
    written.Add(*bytes);
    progress.Add(static_cast<int64_t>(bytes->size()));
  }
}

std::string TemporaryNameBeside(const std::string& uri) {
  return JoinPath(Dirname(uri), TemporaryName());
}

// The same error with the target's name in place of a temporary one, of which
// the user knows nothing.
absl::Status NamingTarget(const absl::Status& error,
                          const std::string& temporary,
                          const std::string& target) {
  return {error.code(),
          absl::StrReplaceAll(error.message(), {{temporary, target}})};
}

absl::StatusOr<Contents> ContentsOf(const Location& location) {
  const absl::StatusOr<std::unique_ptr<RandomAccessFile>> file =
      location.file_system->NewRandomAccessFile(location.uri);
  if (!file.ok()) return file.status();
  ReadAhead blocks(**file);
  for (Contents contents;;) {
    const absl::StatusOr<std::string_view> block = blocks.Next();
    if (!block.ok()) return block.status();
    if (block->empty()) return contents;
    contents.Add(*block);
  }
}

// OK only if the file at `location`, queried again, is what was `written`, and
// not what was there `before`.
absl::Status CheckWritten(const Location& location, const Contents& written,
                          const PathState& before) {
  const auto confirmed = location.file_system->StatIfExists(location.uri);
  if (!confirmed.ok()) return confirmed.status();
  if (!confirmed->has_value()) {
    return DataLossError(
        "{}: the plugin reported success, but nothing is there", location.uri);
  }
  const FileStatistics& found = **confirmed;
  if (found.is_directory || found.length != written.bytes) {
    return DataLossError(
        "{}: wanted {} bytes, found {}; the copy is incomplete", location.uri,
        written.bytes, found.length);
  }
  const bool is_asked =
      NeedsConfirmation(TablesOf(*location.file_system).traits);
  if (before.type != FileType::kFile ||
      before.statistics.length != found.length ||
      (!is_asked && before.statistics.mtime_nsec != found.mtime_nsec)) {
    return absl::OkStatus();
  }
  const absl::StatusOr<Contents> contents = ContentsOf(location);
  if (!contents.ok()) return contents.status();
  if (contents->hash == written.hash) return absl::OkStatus();
  return DataLossError(
      "{}: the plugin reported success, but the file is unchanged",
      location.uri);
}

// Yields `error`, after deleting what it left at `location`.
absl::Status AfterDeletion(const absl::Status& error,
                           const Location& location) {
  const absl::Status deleted = DeleteFileAt(location);
  const PathState left = GetPathState(location);
  if (deleted.ok() || (left.status.ok() && left.type == FileType::kNone)) {
    return error;
  }
  return WithText(error, "could not delete " + location.uri + " (" +
                             std::string(deleted.message()) + ")");
}

// Deletes the temporary file `location` if the plugin has copied it instead of
// renaming it.
absl::Status CheckIsRenamed(const Location& location) {
  if (!NeedsConfirmation(TablesOf(*location.file_system).traits)) {
    return absl::OkStatus();
  }
  const PathState left = GetPathState(location);
  return left.status.ok() && left.type == FileType::kNone
             ? absl::OkStatus()
             : DeleteTemporaryFile(location);
}

// How the target gets the contents of a stream.
enum class WriteMode {
  kAtomic,   // nothing of it appears before it is closed
  kRenamed,  // it has another name until it is complete
  kInPlace,
};

// A file that is there is only replaced when all is read, even if fsload
// renames by copying.
WriteMode WriteModeFor(const Location& target, bool existed) {
  const SchemeTables& tables = TablesOf(*target.file_system);
  if (tables.traits.replaces_atomically) return WriteMode::kAtomic;
  return existed || tables.filesystem.rename_file != nullptr
             ? WriteMode::kRenamed
             : WriteMode::kInPlace;
}

// Writes `input` to `location`, and calls `may_end` before closing the file.
// Sets `opened` if something may be there that was not published.
absl::Status WriteTo(Source& input, const Location& location, WriteMode mode,
                     Progress& progress,
                     const std::function<absl::Status()>& may_end,
                     Contents& written, bool& opened) {
  const absl::StatusOr<std::unique_ptr<WritableFile>> file =
      location.file_system->NewWritableFile(location.uri);
  opened =
      mode != WriteMode::kAtomic && (file.ok() || mode == WriteMode::kRenamed ||
                                     MayHaveOpened(file.status()));
  if (!file.ok()) return file.status();
  FileProgress file_progress(progress, *location.file_system);
  absl::Status status = Write(input, **file, file_progress, written);
  if (status.ok()) status = may_end();
  if (!status.ok()) {
    if (mode == WriteMode::kAtomic) (*file)->Discard();
    return status;
  }
  status = (*file)->Close();
  if (absl::IsUnimplemented(status)) status = absl::OkStatus();
  if (status.ok()) file_progress.SetSent();
  return status;
}

// Renames a file to a target in the same folder of a disk, at which nothing may
// be.
absl::Status RenameToFree(const Location& location, const Location& target) {
  const LocalTree::Entry to = target.tree->Find(target.path);
  if (to.error != 0) return LocalError(to.error, target.uri);
  const LocalTree::Entry from =
      target.tree->Find(JoinPath(Dirname(target.path), Basename(location.uri)));
  if (from.error != 0) return LocalError(from.error, location.uri);
  WrittenFiles none;
  const int error = RenameEntry(from, to, false, none);
  return error == EEXIST ? NotReplaced(target.uri)
                         : LocalError(error, target.uri);
}

}  // namespace

absl::Status CopyToStandardOutput(Source& source, Progress& progress) {
  for (;;) {
    const absl::StatusOr<std::string_view> block = source.Next();
    if (!block.ok()) return block.status();
    if (block->empty() || !Print(*block)) return absl::OkStatus();
    progress.AddBytes(static_cast<int64_t>(block->size()));
  }
}

absl::StatusOr<StreamCopy> CopyStream(Source& input, const Location& target,
                                      bool replaces, Progress& progress) {
  const PathState found = GetPathState(target);
  if (!found.status.ok()) return found.status;
  if (found.type == FileType::kDirectory || target.uri.back() == '/') {
    return FailedPreconditionError(
        "{}: is a directory; give the name of the file to write in it",
        target.uri);
  }
  const bool existed = found.type == FileType::kFile;
  if (existed && !replaces) return NotReplaced(target.uri);
  if (!existed) {
    const absl::Status above =
        ObjectsAbove().Check(*target.file_system, target.uri);
    if (!above.ok()) return above;
  }
  const Location local = InFolder(target, Links::kRefused);
  if (local.tree != nullptr) {
    const absl::Status writable =
        CheckWritable(local.tree->Find(local.path), target.uri);
    if (!writable.ok()) return writable;
  }
  const WriteMode write_mode = WriteModeFor(target, existed);
  const bool renames = write_mode == WriteMode::kRenamed;
  const Location location =
      renames ? target.At(TemporaryNameBeside(target.uri)) : target;
  const ReplacedMode mode(target);
  IncompleteCopies work(target.uri);
  if (write_mode != WriteMode::kAtomic) work.Add(location.uri);
  Contents written;
  bool opened = false;
  // Reading all input takes time: a file may exist by now.
  const auto may_end = [&] {
    if (replaces || write_mode == WriteMode::kInPlace) return absl::OkStatus();
    const PathState now = GetPathState(target);
    return now.type == FileType::kNone ? now.status : NotReplaced(target.uri);
  };
  if (renames) mode.CreateAt(location);
  absl::Status status =
      WriteTo(input, location, write_mode, progress, may_end, written, opened);
  if (!status.ok()) status = NamingTarget(status, location.uri, target.uri);
  if (status.ok()) {
    status = CheckWritten(location, written, renames ? PathState() : found);
  }
  if (status.ok() && renames) status = mode.GiveTo(location);
  if (status.ok() && renames) {
    CopyOptions options;
    options.before_writing = [&](std::string_view path) { work.Add(path); };
    status =
        !replaces && local.tree != nullptr
            ? RenameToFree(location, local)
            : target.file_system->RenameFile(location.uri, target.uri, options);
    if (status.ok()) status = CheckWritten(target, written, found);
    if (status.ok()) {
      const absl::Status renamed = CheckIsRenamed(location);
      if (!renamed.ok()) return renamed;
    }
  }
  if (status.ok()) return StreamCopy{written.bytes, existed};
  // The plugin's own: no file that was there before, which -n leaves.
  if (absl::IsAlreadyExists(status) && status != NotReplaced(target.uri)) {
    status = absl::AbortedError(status.message());
  }
  return opened ? AfterDeletion(status, location) : status;
}

}  // namespace fsload
