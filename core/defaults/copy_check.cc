#include "core/defaults/copy_check.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/calls/plugin_call.h"
#include "core/files/open_op.h"
#include "core/files/read_ahead.h"

namespace fsload {
namespace {

constexpr Op kOp = Op::kFilesystem_copy_file;

// A server that fails once may answer the second time.
absl::StatusOr<FileStatistics> StatPatiently(FilePath path) {
  absl::StatusOr<FileStatistics> found = path.ops.Stat(path.path);
  if (!found.ok()) found = path.ops.Stat(path.path);
  return found;
}

}  // namespace

bool IsUnchanged(const FileStatistics& before, const FileStatistics& after) {
  return before.length == after.length && before.mtime_nsec == after.mtime_nsec;
}

absl::Status CheckRead(FilePath src, int64_t bytes,
                       const FileStatistics& before,
                       const FileStatistics& after) {
  if (!IsUnchanged(before, after)) {
    return absl::AbortedError(CallMessage(
        kOp, src.path.shown,
        fmt::format("the file changed while it was copied, from {} to {} "
                    "bytes; {} were read",
                    before.length, after.length, bytes)));
  }
  if (bytes == after.length || after.length == 0) return absl::OkStatus();
  return absl::DataLossError(CallMessage(
      Op::kRandomAccessFile_read, src.path.shown,
      fmt::format("the plugin reported end of file after {} of {} bytes", bytes,
                  after.length)));
}

absl::StatusOr<bool> HaveSameContents(FilePath a, FilePath b) {
  const auto file_a = kNewRandomAccessFile.Open(a.ops, a.path, nullptr);
  if (!file_a.ok()) return file_a.status();
  const auto file_b = kNewRandomAccessFile.Open(b.ops, b.path, nullptr);
  if (!file_b.ok()) return file_b.status();
  ReadAhead blocks_a(**file_a);
  ReadAhead blocks_b(**file_b);
  for (;;) {
    const absl::StatusOr<std::string_view> block_a = blocks_a.Next();
    if (!block_a.ok()) return block_a.status();
    const absl::StatusOr<std::string_view> block_b = blocks_b.Next();
    if (!block_b.ok()) return block_b.status();
    if (*block_a != *block_b) return false;
    if (block_a->empty()) return true;
  }
}

absl::Status CheckCopy(FilePath src, FilePath dst, int64_t bytes,
                       const Before& before, const absl::Status& said) {
  const absl::StatusOr<FileStatistics> found = StatPatiently(dst);
  if (!found.ok()) return said.ok() ? found.status() : said;
  if (found->is_directory || found->length != bytes) {
    if (!said.ok()) return said;
    if (found->is_directory) return NotAFile(kOp, dst.path.shown);
    return absl::DataLossError(CallMessage(
        kOp, dst.path.shown,
        fmt::format("wanted {} bytes, found {}; the copy is incomplete", bytes,
                    found->length)));
  }
  const bool is_new = !before.has_value() || !IsUnchanged(*before, *found);
  if (said.ok() && is_new) return absl::OkStatus();
  // What was there before may look the same.
  absl::StatusOr<bool> same = HaveSameContents(src, dst);
  if (!same.ok() || !*same) same = HaveSameContents(src, dst);
  if (same.ok() && *same) return absl::OkStatus();
  if (!said.ok()) return said;
  if (!same.ok()) return same.status();
  return absl::DataLossError(CallMessage(
      kOp, dst.path.shown,
      fmt::format("the plugin reported success, but the contents differ from "
                  "those of {}",
                  src.path.shown)));
}

}  // namespace fsload
