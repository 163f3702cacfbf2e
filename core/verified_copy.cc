#include "core/verified_copy.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/cord.h"
#include "core/open_op.h"
#include "core/path.h"
#include "core/plugin_call.h"
#include "core/random_number.h"
#include "core/read_ahead.h"

namespace fsload {
namespace {

constexpr Op kOp = Op::kFilesystem_copy_file;

absl::Status Ask(const CopyOptions& options, int64_t bytes) {
  return options.after_block == nullptr ? absl::OkStatus()
                                        : options.after_block(bytes);
}

// Appends all of `src` to `dst`; yields how many bytes.
absl::StatusOr<int64_t> Pump(const RandomAccessFile& src, WritableFile& dst,
                             const CopyOptions& options) {
  ReadAhead blocks(src);
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

absl::StatusOr<int64_t> Stream(FilePath src, FilePath dst,
                               const CopyOptions& options) {
  // Both live no longer than this call, whose caller keeps the file systems.
  const auto reader = kNewRandomAccessFile.Open(src.ops, src.path, nullptr);
  if (!reader.ok()) return reader.status();
  const auto writer = kNewWritableFile.Open(dst.ops, dst.path, nullptr);
  if (!writer.ok()) return writer.status();
  absl::StatusOr<int64_t> bytes = Pump(**reader, **writer, options);
  if (!bytes.ok()) return bytes;
  if (*bytes == 0) {
    // Stores (that of s3) make no object of a file that nothing is appended to.
    absl::Status appended = (*writer)->Append("");
    if (!appended.ok() && !absl::IsUnimplemented(appended)) return appended;
  }
  // A plugin may leave close out; what it wrote is held against stat.
  const absl::Status closed = (*writer)->Close();
  if (!closed.ok() && dst.ops.Has(Op::kWritableFile_close)) return closed;
  // Stores upload the file while it is closed, which may have taken long.
  const absl::Status asked = Ask(options, 0);
  if (!asked.ok()) return asked;
  return bytes;
}

absl::StatusOr<FileStatistics> StatFile(FilePath file) {
  const absl::StatusOr<FileStatistics> statistics = file.ops.Stat(file.path);
  if (!statistics.ok() || !statistics->is_directory) return statistics;
  return WantedFile(kOp, file.path.shown);
}

// Whether `bytes` can be all of a file that was this before and after it was
// read. Some files, of /proc for example, hold more than their size says.
bool IsWhole(int64_t bytes, const FileStatistics& before,
             const FileStatistics& after) {
  return IsUnchanged(before, after) && bytes >= after.length;
}

}  // namespace

bool IsUnchanged(const FileStatistics& before, const FileStatistics& after) {
  return before.length == after.length && before.mtime_nsec == after.mtime_nsec;
}

absl::StatusOr<int64_t> CopyVerified(FilePath src, FilePath dst,
                                     const CopyOptions& options) {
  const absl::StatusOr<FileStatistics> before = StatFile(src);
  if (!before.ok()) return before.status();
  int64_t bytes = before->length;
  bool is_known = true;  // how many bytes there were
  if (options.before_writing != nullptr) {
    options.before_writing(dst.path.canonical);
  }
  if (&src.ops == &dst.ops && src.ops.Has(kOp)) {
    absl::Status status = src.ops.CopyFile(src.path, dst.path);
    // The plugin of s3 copies no empty file.
    if (absl::IsFailedPrecondition(status) && bytes == 0) {
      status = Stream(src, dst, options).status();
    }
    if (status.ok()) status = Ask(options, bytes);
    if (!status.ok()) return status;
    is_known = bytes > 0;
  } else {
    const absl::StatusOr<int64_t> streamed = Stream(src, dst, options);
    if (!streamed.ok()) return streamed;
    bytes = *streamed;
  }
  const absl::StatusOr<FileStatistics> after = StatFile(src);
  if (!after.ok()) return after.status();
  if (!IsWhole(bytes, *before, *after)) {
    return absl::AbortedError(CallMessage(
        kOp, src.path.shown,
        fmt::format("wanted all of the file, copied {} bytes, found {} before "
                    "and {} after; it changed while it was read",
                    bytes, before->length, after->length)));
  }
  const absl::StatusOr<FileStatistics> copied = StatFile(dst);
  if (!copied.ok()) return copied.status();
  if (copied->length == bytes) return bytes;
  // A file of /proc, of which the plugin did not say how much it copied.
  if (!is_known) return copied->length;
  return absl::DataLossError(CallMessage(
      kOp, dst.path.shown,
      fmt::format("wanted {} bytes, found {} in the copy; it is not whole",
                  bytes, copied->length)));
}

absl::StatusOr<int64_t> CopyToNew(FilePath src, FilePath dst,
                                  const CopyOptions& options) {
  absl::StatusOr<int64_t> bytes = CopyVerified(src, dst, options);
  if (bytes.ok()) return bytes;
  const absl::Status deleted = DeleteIfThere(dst);
  if (deleted.ok()) return bytes;
  return WithText(bytes.status(),
                  fmt::format("left over: {} ({})", dst.path.canonical,
                              std::string(deleted.message())));
}

absl::StatusOr<std::string> UnusedNameBeside(FilePath path) {
  constexpr int kTries = 8;
  for (int i = 0; i < kTries; ++i) {
    std::string name = JoinPath(Dirname(path.path.canonical),
                                fmt::format(".fsload-{:016x}", RandomNumber()));
    const absl::Status exists = path.ops.Stat(PathArgument(name)).status();
    if (absl::IsNotFound(exists)) return name;
    if (!exists.ok()) return exists;
  }
  return absl::AbortedError(CallMessage(
      kOp, path.path.shown,
      fmt::format("wanted an unused name beside it, found {} taken", kTries)));
}

absl::Status DeleteIfThere(FilePath path) {
  const absl::Status status = path.ops.DeleteFile(path.path);
  if (status.ok()) return status;
  // It may have failed after it was done, or say so of what is there.
  const absl::Status found = path.ops.Stat(path.path).status();
  return absl::IsNotFound(found) ? absl::OkStatus() : status;
}

absl::Status DeleteTemporary(const PluginOps& ops, const std::string& path) {
  const absl::Status status = DeleteIfThere({ops, PathArgument(path)});
  return status.ok() ? status : WithText(status, "left over: " + path);
}

absl::Status WithText(const absl::Status& error, std::string_view text) {
  absl::Status extended(
      error.code(), fmt::format("{}; {}", std::string(error.message()), text));
  error.ForEachPayload([&](absl::string_view key, const absl::Cord& value) {
    extended.SetPayload(key, value);
  });
  return extended;
}

}  // namespace fsload
