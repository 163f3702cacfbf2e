#include "core/copies/copy_check.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/calls/plugin_call.h"
#include "core/copies/confirmed_lookup.h"
#include "core/files/open_op.h"
#include "core/files/read_ahead.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr Op kCopyOp = Op::kFilesystem_copy_file;

// Reads the first bytes and the last one.
absl::Status ReadEnds(FilePath path, int64_t bytes) {
  constexpr int64_t kFirst = 4096;
  const auto file = kNewRandomAccessFile.Open(path.ops, path.path, nullptr);
  if (!file.ok()) return file.status();
  // Plugins may open a file only to read from it, and fail at its end.
  if (bytes == 0) return path.ops.Stat(path.path).status();
  char buffer[kFirst];
  const int64_t first = std::min(kFirst, bytes);
  for (const int64_t offset : {int64_t{0}, bytes - 1}) {
    const int64_t wanted = offset == 0 ? first : 1;
    const absl::StatusOr<size_t> read = (*file)->Read(offset, wanted, buffer);
    if (!read.ok()) return read.status();
    if (static_cast<int64_t>(*read) == wanted) continue;
    return absl::DataLossError(CallMessage(
        Op::kRandomAccessFile_read, path.path.shown,
        Format("wanted {} bytes at {}, found {}", wanted, offset, *read)));
  }
  return absl::OkStatus();
}

// Whether a read of the last byte and the one after it, which is one request,
// shows that the file has `bytes` bytes.
bool HasLength(FilePath file, int64_t bytes) {
  if (bytes == 0) return false;
  const auto reader = kNewRandomAccessFile.Open(file.ops, file.path, nullptr);
  if (!reader.ok()) return false;
  char ends[2];
  const absl::StatusOr<size_t> read =
      (*reader)->Read(bytes - 1, sizeof(ends), ends);
  return read.ok() && *read == 1;
}

absl::Status EndedEarly(FilePath file, int64_t bytes, int64_t length) {
  return absl::DataLossError(
      CallMessage(Op::kRandomAccessFile_read, file.path.shown,
                  Format("the plugin reported end of file after {} of {} bytes",
                         bytes, length)));
}

// DATA_LOSS if a file of which `bytes` were read is longer.
absl::Status CheckWasRead(FilePath file, int64_t bytes) {
  // Those of the system may have fewer bytes than stat says.
  if (file.ops.tables().traits.is_exact) return absl::OkStatus();
  const absl::StatusOr<FileStatistics> found = file.ops.Stat(file.path);
  if (!found.ok()) return found.status();
  return found->length > bytes ? EndedEarly(file, bytes, found->length)
                               : absl::OkStatus();
}

}  // namespace

absl::StatusOr<FileStatistics> StatCopy(FilePath dst) {
  absl::StatusOr<FileStatistics> found = dst.ops.Stat(dst.path);
  if (found.ok()) return found;
  // A server that fails once may answer the second time.
  const absl::StatusOr<Before> confirmed = FindConfirmed(dst.ops, dst.path);
  if (!confirmed.ok()) return confirmed.status();
  if (confirmed->has_value()) return **confirmed;
  return absl::DataLossError(
      CallMessage(kCopyOp, dst.path.shown,
                  "the plugin reported success, but nothing is there"));
}

absl::Status CheckReadable(FilePath file, int64_t bytes) {
  absl::Status status = ReadEnds(file, bytes);
  if (!status.ok()) status = ReadEnds(file, bytes);
  return absl::IsNotFound(status) ? absl::DataLossError(status.message())
                                  : status;
}

bool IsUnchanged(const FileStatistics& before, const FileStatistics& after) {
  return before.length == after.length && before.mtime_nsec == after.mtime_nsec;
}

absl::Status CheckRead(FilePath src, int64_t bytes,
                       const FileStatistics& before,
                       const FileStatistics& after) {
  if (!IsUnchanged(before, after)) {
    const std::string how =
        before.length == after.length
            ? Format("and still has {} bytes", after.length)
            : Format("from {} to {} bytes", before.length, after.length);
    return absl::AbortedError(
        CallMessage(kCopyOp, src.path.shown,
                    Format("the file changed while it was copied, {}; {} "
                           "were read",
                           how, bytes)));
  }
  if (bytes == after.length || after.length == 0) return absl::OkStatus();
  return EndedEarly(src, bytes, after.length);
}

absl::StatusOr<bool> HaveSameContents(
    FilePath a, FilePath b, const std::function<absl::Status()>& before_block) {
  const auto file_a = kNewRandomAccessFile.Open(a.ops, a.path, nullptr);
  if (!file_a.ok()) return file_a.status();
  const auto file_b = kNewRandomAccessFile.Open(b.ops, b.path, nullptr);
  if (!file_b.ok()) return file_b.status();
  ReadAhead blocks_a(**file_a, ReadAheadSizeFor(a.ops.tables().traits));
  ReadAhead blocks_b(**file_b, ReadAheadSizeFor(b.ops.tables().traits));
  // What is left of the current blocks, whose sizes may differ.
  absl::StatusOr<std::string_view> rest_a = "";
  absl::StatusOr<std::string_view> rest_b = "";
  int64_t bytes = 0;
  for (;;) {
    const absl::Status status =
        before_block == nullptr ? absl::OkStatus() : before_block();
    if (!status.ok()) return status;
    if (rest_a->empty()) rest_a = blocks_a.Next();
    if (!rest_a.ok()) return rest_a.status();
    if (rest_b->empty()) rest_b = blocks_b.Next();
    if (!rest_b.ok()) return rest_b.status();
    const size_t both = std::min(rest_a->size(), rest_b->size());
    if (rest_a->substr(0, both) != rest_b->substr(0, both)) return false;
    if (both == 0 && rest_a->size() != rest_b->size()) return false;
    if (both == 0) {
      const absl::Status whole = CheckWasRead(b, bytes);
      if (!whole.ok()) return whole;
      return true;
    }
    bytes += static_cast<int64_t>(both);
    rest_a->remove_prefix(both);
    rest_b->remove_prefix(both);
  }
}

absl::Status CheckSameContents(
    Op op, FilePath src, FilePath dst,
    const std::function<absl::Status()>& before_block) {
  const absl::StatusOr<bool> same = HaveSameContents(src, dst, before_block);
  if (!same.ok()) return same.status();
  if (*same) return absl::OkStatus();
  return absl::DataLossError(CallMessage(
      op, dst.path.shown,
      Format("the plugin reported success, but the contents differ from "
             "those of {}",
             src.path.shown)));
}

absl::Status CheckIfUntested(FilePath src, FilePath dst,
                             const CopyOptions& options) {
  if (!dst.ops.tables().traits.is_untested) return absl::OkStatus();
  return CheckSameContents(kCopyOp, src, dst, [&] {
    return options.after_block == nullptr ? absl::OkStatus()
                                          : options.after_block(0);
  });
}

absl::Status CheckCopy(FilePath src, FilePath dst, int64_t bytes,
                       const Before& before, const absl::Status& said) {
  // A file of another length is not what was there before.
  const bool length_tells = !before.has_value() || before->length != bytes;
  if (said.ok() && length_tells && PrefersReadToStat(dst.ops.tables().traits) &&
      HasLength(dst, bytes)) {
    return said;
  }
  const absl::StatusOr<FileStatistics> found = StatCopy(dst);
  if (!found.ok()) return said.ok() ? found.status() : said;
  if (found->is_directory || found->length != bytes) {
    if (!said.ok()) return said;
    if (found->is_directory) return NotAFile(kCopyOp, dst.path.shown);
    return absl::DataLossError(
        CallMessage(kCopyOp, dst.path.shown,
                    Format("wanted {} bytes, found {}; the copy is incomplete",
                           bytes, found->length)));
  }
  // Some plugins report the time of the question.
  const bool time_tells = !NeedsConfirmation(dst.ops.tables().traits);
  const bool is_new = !before.has_value() || before->length != found->length ||
                      (time_tells && before->mtime_nsec != found->mtime_nsec);
  if (said.ok() && is_new) return absl::OkStatus();
  // What was there before may look the same. Asks twice before it fails: a
  // store may have shown the old contents.
  absl::Status same = CheckSameContents(kCopyOp, src, dst);
  if (!same.ok()) same = CheckSameContents(kCopyOp, src, dst);
  return same.ok() || said.ok() ? same : said;
}

}  // namespace fsload
