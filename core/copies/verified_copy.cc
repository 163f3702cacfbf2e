#include "core/copies/verified_copy.h"

#include <optional>
#include <string>
#include <string_view>

#include "core/calls/plugin_call.h"
#include "core/copies/confirmed_lookup.h"
#include "core/copies/mtime_granularity.h"
#include "core/files/open_op.h"
#include "core/files/read_ahead.h"
#include "core/paths/path.h"
#include "core/system/random_number.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr Op kOp = Op::kFilesystem_copy_file;

absl::Status Ask(const CopyOptions& options, int64_t bytes) {
  return options.after_block == nullptr ? absl::OkStatus()
                                        : options.after_block(bytes);
}

// Appends all blocks to `dst`; returns the number of bytes.
absl::StatusOr<int64_t> Pump(ReadAhead& blocks, WritableFile& dst,
                             const CopyOptions& options) {
  for (int64_t bytes = 0;;) {
    const absl::StatusOr<std::string_view> block = blocks.Next();
    if (!block.ok()) return block.status();
    if (block->empty()) return bytes;
    const auto block_bytes = static_cast<int64_t>(block->size());
    absl::Status status = dst.Append(*block);
    if (status.ok()) status = Ask(options, block_bytes);
    if (!status.ok()) return status;
    bytes += block_bytes;
  }
}

absl::StatusOr<FileStatistics> StatFile(FilePath file) {
  const absl::StatusOr<FileStatistics> statistics = file.ops.Stat(file.path);
  if (!statistics.ok() || !statistics->is_directory) return statistics;
  return NotAFile(kOp, file.path.shown);
}

// The same for a source, once a write to it would change its time.
absl::StatusOr<FileStatistics> StatSource(FilePath src) {
  const bool is_exact = src.ops.tables().traits.is_exact;
  absl::StatusOr<FileStatistics> found = UnknownError("");
  const auto get_mtime = [&]() -> absl::StatusOr<int64_t> {
    // A question to a store is a request or two; what is first is just as good.
    const FileStatistics* const known = is_exact ? nullptr : src.found;
    src.found = nullptr;
    found = known != nullptr ? *known : StatFile(src);
    if (!found.ok()) return found.status();
    return found->mtime_nsec;
  };
  const absl::StatusOr<bool> has_new_mtime =
      WaitForNewMtime(is_exact, get_mtime);
  if (!has_new_mtime.ok()) return has_new_mtime.status();
  if (*has_new_mtime) return found;
  return absl::AbortedError(CallMessage(kOp, src.path.shown, kKeepsChanging));
}

absl::Status CheckSource(FilePath src, int64_t bytes,
                         const FileStatistics& before) {
  const absl::StatusOr<FileStatistics> after = StatFile(src);
  return after.ok() ? CheckRead(src, bytes, before, *after) : after.status();
}

// The result of writing a copy.
struct Written {
  int64_t bytes;
  // The plugin's result of the last step, which may have succeeded.
  absl::Status said;
};

// Notes that `dst` is about to be written to.
void Begin(FilePath dst, const CopyOptions& options, Begun& begun) {
  begun = Begun::kYes;
  if (options.before_writing != nullptr && !IsAtomic(dst)) {
    options.before_writing(dst.path.canonical);
  }
}

absl::Status Write(const RandomAccessFile& reader, WritableFile& writer,
                   FilePath src, const FileStatistics& before,
                   const CopyOptions& options, int64_t& bytes) {
  ReadAhead blocks(reader, ReadAheadSizeFor(src.ops.tables().traits),
                   before.length);
  const absl::StatusOr<int64_t> pumped = Pump(blocks, writer, options);
  if (!pumped.ok()) return pumped.status();
  bytes = *pumped;
  if (bytes == 0) {
    // Object stores (s3) create no object for a file to which nothing is
    // appended.
    absl::Status appended = writer.Append("");
    if (!appended.ok() && !absl::IsUnimplemented(appended)) return appended;
  }
  if (ReadsAtOnce(src, before) && bytes == before.length) {
    return absl::OkStatus();
  }
  return CheckSource(src, bytes, before);
}

absl::StatusOr<Written> Stream(FilePath src, FilePath dst,
                               const FileStatistics& before,
                               const CopyOptions& options, Begun& begun) {
  // Neither outlives this call, and its caller keeps the file systems alive.
  const auto reader = kNewRandomAccessFile.Open(src.ops, src.path, nullptr);
  if (!reader.ok()) return reader.status();
  Begin(dst, options, begun);
  const auto writer = kNewWritableFile.Open(dst.ops, dst.path, nullptr);
  if (!writer.ok()) {
    if (!MayHaveOpened(writer.status())) begun = Begun::kRefused;
    if (IsAtomic(dst)) begun = Begun::kNo;
    return writer.status();
  }
  int64_t bytes = 0;
  const absl::Status written =
      Write(**reader, **writer, src, before, options, bytes);
  if (!written.ok()) {
    if (!IsAtomic(dst)) return written;
    (*writer)->Discard();
    begun = Begun::kNo;
    return written;
  }
  // A plugin may lack close; what it wrote is checked with stat.
  absl::Status closed = (*writer)->Close();
  dst.ops.NoteCreated(dst.path.canonical);  // a store makes it only now
  if (!dst.ops.Has(Op::kWritableFile_close)) closed = absl::OkStatus();
  if (IsAtomic(dst)) return Written{bytes, closed};
  if (!closed.ok()) return closed;
  // Stores upload the file when it is closed, which may take long.
  const absl::Status asked = Ask(options, 0);
  if (!asked.ok()) return asked;
  return Written{bytes, absl::OkStatus()};
}

// Whether what is at `dst` may be a file that was moved there.
bool MayBeMoved(FilePath dst, const FileStatistics& file) {
  const absl::StatusOr<FileStatistics> found = dst.ops.Stat(dst.path);
  return found.ok() && found->length == file.length;
}

// Lets the plugin do it.
absl::StatusOr<Written> CopyByPlugin(FilePath src, FilePath dst,
                                     const FileStatistics& before,
                                     const CopyOptions& options, Begun& begun) {
  Begin(dst, options, begun);
  absl::Status said = src.ops.CopyFile(src.path, dst.path);
  // A plugin for an object store may be unable to copy empty files.
  if (absl::IsFailedPrecondition(said) && before.length == 0) {
    begun = Begun::kNo;
    CopyOptions told = options;
    told.before_writing = nullptr;
    return Stream(src, dst, before, told, begun);
  }
  if (absl::IsAlreadyExists(said) || absl::IsUnimplemented(said) ||
      (absl::IsNotFound(said) && MayBeMoved(dst, before))) {
    begun = Begun::kRefused;
  }
  if (IsAtomic(dst)) {
    // It is done; errors come too late.
    if (said.ok()) Ask(options, before.length).IgnoreError();
    return Written{before.length, said};
  }
  if (said.ok()) said = Ask(options, before.length);
  if (!said.ok()) return said;
  said = CheckSource(src, before.length, before);
  if (!said.ok()) return said;
  return Written{before.length, said};
}

}  // namespace

bool IsAtomic(FilePath path) {
  return path.ops.tables().traits.replaces_atomically;
}

absl::StatusOr<Before> StatBefore(FilePath path) {
  return FindConfirmed(path.ops, path.path);
}

bool IsDirectory(const Before& found) {
  return found.has_value() && found->is_directory;
}

bool MayHaveOpened(const absl::Status& error) {
  return !absl::IsAlreadyExists(error) && !absl::IsPermissionDenied(error) &&
         !absl::IsUnimplemented(error);
}

bool ReadsAtOnce(FilePath src, const FileStatistics& found) {
  return PrefersReadToStat(src.ops.tables().traits) && IsAtomic(src) &&
         found.length > 0 &&
         found.length < static_cast<int64_t>(ReadAhead::kFirstBytes);
}

absl::StatusOr<int64_t> CopyVerified(FilePath src, FilePath dst,
                                     const Before& old,
                                     const CopyOptions& options, Begun* begun) {
  Begun ignored = Begun::kNo;
  if (begun == nullptr) begun = &ignored;
  *begun = Begun::kNo;
  const bool by_plugin =
      &src.ops == &dst.ops && src.ops.Has(kOp) &&
      CanMoveBetween(src.ops.tables().traits, src.path, dst.path);
  const bool is_known =
      !by_plugin && src.found != nullptr && ReadsAtOnce(src, *src.found);
  const absl::StatusOr<FileStatistics> before =
      is_known ? *src.found : StatSource(src);
  if (!before.ok()) return before.status();
  const absl::StatusOr<Written> written =
      by_plugin ? CopyByPlugin(src, dst, *before, options, *begun)
                : Stream(src, dst, *before, options, *begun);
  if (!written.ok()) return written.status();
  int64_t bytes = written->bytes;
  if (by_plugin && bytes == 0 && !IsAtomic(dst)) {
    // A file in /proc, for which the plugin did not report how much it copied.
    const absl::StatusOr<FileStatistics> copied = StatCopy(dst);
    if (!copied.ok()) return copied.status();
    bytes = copied->length;
  }
  const absl::Status checked = CheckCopy(src, dst, bytes, old, written->said);
  if (!checked.ok()) return checked;
  return bytes;
}

absl::StatusOr<int64_t> CopyToNew(FilePath src, FilePath dst,
                                  const CopyOptions& options) {
  Begun begun = Begun::kNo;
  absl::StatusOr<int64_t> bytes =
      CopyVerified(src, dst, std::nullopt, options, &begun);
  if (bytes.ok()) return bytes;
  if (!IsAtomic(dst)) return UndoNew(bytes.status(), dst, begun);
  // A store shows only whole objects: a wrong one is not part of the copy, and
  // nobody can tell whose it is.
  return absl::IsDataLoss(bytes.status())
             ? UndoNew(bytes.status(), dst, Begun::kRefused)
             : bytes;
}

absl::StatusOr<int64_t> CopyToTemporary(FilePath src, FilePath temporary,
                                        const CopyOptions& options) {
  // A complete one is left over too.
  if (options.before_writing != nullptr && IsAtomic(temporary)) {
    options.before_writing(temporary.path.canonical);
  }
  Begun begun = Begun::kNo;
  absl::StatusOr<int64_t> bytes =
      CopyVerified(src, temporary, std::nullopt, options, &begun);
  if (bytes.ok() || begun == Begun::kNo) return bytes;
  return ClearAfter(bytes.status(), temporary);
}

absl::Status ClearAfter(const absl::Status& error, FilePath dst) {
  const absl::Status deleted = DeleteIfThere(dst);
  if (deleted.ok()) return error;
  return WithText(error, Format("could not delete {} ({})", dst.path.canonical,
                                std::string(deleted.message())));
}

absl::Status UndoNew(const absl::Status& error, FilePath dst, Begun begun) {
  if (begun == Begun::kYes) return ClearAfter(error, dst);
  if (begun == Begun::kNo || !dst.ops.Stat(dst.path).ok()) return error;
  return WithText(error,
                  Format("{} is left, because it may belong to somebody else",
                         dst.path.canonical));
}

absl::StatusOr<std::string> UnusedNameBeside(FilePath path) {
  constexpr int kTries = 8;
  for (int i = 0; i < kTries; ++i) {
    std::string name = JoinPath(Dirname(path.path.canonical),
                                Format(".fsload-{:016x}", RandomNumber()));
    const absl::Status exists = path.ops.Stat(PathArgument(name)).status();
    if (absl::IsNotFound(exists)) return name;
    if (!exists.ok()) return exists;
  }
  return absl::AbortedError(CallMessage(
      kOp, path.path.shown,
      Format("no free name for a temporary file beside it: {} are taken",
             kTries)));
}

absl::Status DeleteIfThere(FilePath path) {
  const absl::Status status = path.ops.DeleteFile(path.path);
  if (status.ok()) return CheckDeleted(path);
  // It may have failed after deleting, or its result may be wrong.
  const auto found = FindConfirmed(path.ops, path.path);
  return found.ok() && !found->has_value() ? absl::OkStatus() : status;
}

absl::Status CheckDeleted(FilePath path) {
  if (!NeedsConfirmation(path.ops.tables().traits)) return absl::OkStatus();
  const auto look = [&] { return path.ops.Stat(path.path); };
  if (!IsStillThere(look)) return absl::OkStatus();
  return absl::DataLossError(
      CallMessage(Op::kFilesystem_delete_file, path.path.shown, kStillThere));
}

absl::Status DeleteTemporary(const PluginOps& ops, const std::string& path) {
  const absl::Status status = DeleteIfThere({ops, PathArgument(path)});
  return status.ok()
             ? status
             : WithText(status, "could not delete the temporary file " + path);
}

absl::Status Also(const absl::Status& status, const absl::Status& clearing) {
  if (clearing.ok()) return status;
  if (status.ok()) return WithText(clearing, "all else is done");
  return WithText(status, std::string(clearing.message()));
}

}  // namespace fsload
