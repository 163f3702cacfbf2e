#include "core/random_access_file.h"

#include <fmt/format.h>

#include <cstdint>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "core/file_cleanup.h"
#include "core/op_call.h"

namespace fsload {
namespace {

constexpr Op kOp = Op::kRandomAccessFile_read;

}  // namespace

RandomAccessFile::~RandomAccessFile() {
  if (owner_ == nullptr) return;
  CleanUpFile(tables_, Op::kRandomAccessFile_cleanup, uri(),
              [&] { tables_.random_access_file.cleanup(&wrapper_); });
}

inline int64_t RandomAccessFile::ReadOnce(uint64_t offset, size_t n,
                                          char* buffer,
                                          CallStatus& status) const {
  int64_t count = -1;
  CallOp(tables_, kOp, uri(), status, [&] {
    count = tables_.random_access_file.read(&wrapper_, offset, n, buffer,
                                            status.get());
    return count;
  });
  return count;
}

absl::StatusOr<size_t> RandomAccessFile::Read(uint64_t offset, size_t n,
                                              char* buffer) const {
  if (ABSL_PREDICT_FALSE(tables_.random_access_file.read == nullptr)) {
    return MissingOperations(kOp, uri(), {kOp});
  }
  char nowhere;
  // L160: no pointer is null, that of no bytes neither.
  if (ABSL_PREDICT_FALSE(n == 0)) buffer = &nowhere;
  CallStatus status(tables_.status);
  const int64_t count = ReadOnce(offset, n, buffer, status);
  if (ABSL_PREDICT_TRUE(status.ok() && static_cast<uint64_t>(count) == n)) {
    return n;
  }
  return FinishRead(offset, n, buffer, count, status);
}

ABSL_ATTRIBUTE_NOINLINE absl::StatusOr<size_t> RandomAccessFile::FinishRead(
    uint64_t offset, size_t n, char* buffer, int64_t count,
    const CallStatus& status) const {
  const TF_Code code = status.code();
  // An error wins over the count: real plugins return 0 or a part beside it.
  if (code != TF_OK && code != TF_OUT_OF_RANGE) {
    return status.ToError(kOp, uri());
  }
  if (code == TF_OUT_OF_RANGE && count < 0) count = 0;
  if (count < 0 || static_cast<uint64_t>(count) > n) {
    return absl::InternalError(CallMessage(
        kOp, uri(),
        fmt::format("wanted 0 to {} bytes at offset {}, the plugin says it "
                    "read {}; the buffer cannot be trusted",
                    n, offset, count)));
  }
  // L227-L230: the file ends here, by its code or because nothing came.
  if (code == TF_OUT_OF_RANGE || count == 0) return count;
  // TF_OK with fewer bytes is a deviation that must not cut data off.
  size_t done = count;
  while (done < n) {
    CallStatus next(tables_.status);
    const int64_t more = ReadOnce(offset + done, n - done, buffer + done, next);
    if (next.ok() && more > 0 && static_cast<uint64_t>(more) <= n - done) {
      done += more;
      continue;
    }
    absl::StatusOr<size_t> last =
        FinishRead(offset + done, n - done, buffer + done, more, next);
    if (!last.ok()) return last;
    return done + *last;
  }
  return done;
}

}  // namespace fsload
