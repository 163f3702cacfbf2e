#include "fsload/random_access_file.h"

#include <cstdint>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "core/calls/direct_call.h"
#include "core/calls/file_cleanup.h"
#include "core/calls/op_call.h"
#include "core/tables/op_tables.h"
#include "fsload/filesystem_interface.h"
#include "fsload/op.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr Op kOp = Op::kRandomAccessFile_read;

}  // namespace

const SchemeTables& RandomAccessFile::tables() const {
  return static_cast<const SchemeTables&>(ops_);
}

RandomAccessFile::~RandomAccessFile() {
  if (!opened_) return;
  CleanUp<Op::kRandomAccessFile_cleanup>(
      tables(), uri(), reinterpret_cast<TF_RandomAccessFile*>(&plugin_file_));
}

int64_t RandomAccessFile::ReadOnce(uint64_t offset, size_t n, char* buffer,
                                   CallStatus& status) const {
  int64_t count = -1;
  CallOpInto<kOp>(tables(), uri(), status, [&](auto read, TF_Status* to_set) {
    count = read(wrapper(), offset, n, buffer, to_set);
    // Observers count no bytes that cannot be.
    return count >= 0 && static_cast<uint64_t>(count) <= n ? count
                                                           : int64_t{-1};
  });
  return count;
}

ABSL_ATTRIBUTE_NOINLINE absl::StatusOr<size_t>
RandomAccessFile::FinishDirectRead(uint64_t offset, size_t n, char* buffer,
                                   int64_t count,
                                   const StatusStorage& status) const {
  const bool possible = count >= 0 && static_cast<uint64_t>(count) <= n;
  if (status.code == TF_OUT_OF_RANGE && possible) return count;  // L229
  return FinishRead(offset, n, buffer, count, status.code,
                    [&] { return ErrorOf(status, kOp, uri()); });
}

ABSL_ATTRIBUTE_NOINLINE absl::StatusOr<size_t> RandomAccessFile::ReadSlow(
    uint64_t offset, size_t n, char* buffer) const {
  if (FunctionOf<kOp>(tables()) == nullptr)
    return CheckSupported(tables(), kOp, uri());
  // The s3 plugin takes 0 bytes for all of them, however small the buffer.
  if (n == 0) return 0;
  CallStatus status(tables().status);
  const int64_t count = ReadOnce(offset, n, buffer, status);
  return FinishRead(offset, n, buffer, count, status.code(),
                    [&] { return status.ToError(kOp, uri()); });
}

absl::StatusOr<size_t> RandomAccessFile::FinishRead(
    uint64_t offset, size_t n, char* buffer, int64_t count, TF_Code code,
    const std::function<absl::Status()>& error) const {
  // An error overrides the count: real plugins return 0 or a partial count with
  // it.
  if (code != TF_OK && code != TF_OUT_OF_RANGE) return error();
  if (code == TF_OUT_OF_RANGE && count < 0) count = 0;
  if (count < 0 || static_cast<uint64_t>(count) > n) {
    return absl::InternalError(CallMessage(
        kOp, uri(),
        Format("wanted 0 to {} bytes at offset {}, the plugin reported "
               "{}; the buffer cannot be trusted",
               n, offset, count)));
  }
  // L227-L230: the file ends here, by its code or because no bytes came.
  if (code == TF_OUT_OF_RANGE || count == 0) return count;
  // TF_OK with fewer bytes is a deviation that must not truncate data.
  size_t done = count;
  while (done < n) {
    CallStatus next(tables().status);
    const int64_t more = ReadOnce(offset + done, n - done, buffer + done, next);
    if (next.ok() && more > 0 && static_cast<uint64_t>(more) <= n - done) {
      done += more;
      continue;
    }
    absl::StatusOr<size_t> last =
        FinishRead(offset + done, n - done, buffer + done, more, next.code(),
                   [&] { return next.ToError(kOp, uri()); });
    if (!last.ok()) return last;
    return done + *last;
  }
  return done;
}

}  // namespace fsload
