// A file opened for reading at any offset.
#ifndef FSLOAD_RANDOM_ACCESS_FILE_H_
#define FSLOAD_RANDOM_ACCESS_FILE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/export.h"
#include "fsload/internal/direct_call.h"
#include "fsload/internal/ref_counted.h"
#include "fsload/internal/tf_status_storage.h"
#include "fsload/internal/trailing_text.h"

namespace fsload {
class CallStatus;
struct SchemeTables;
}  // namespace fsload

namespace FSLOAD_API fsload {

enum class Op : uint8_t;  // fsload/op.h

// Made by FileSystem::NewRandomAccessFile, and keeps that file system alive.
// Any number of threads may read at once (L223, L347).
class RandomAccessFile final : public TrailingText {
 public:
  ~RandomAccessFile();
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  // Reads up to `n` bytes at `offset` into `buffer`, which must have room for
  // them, and returns how many it read: fewer than `n` mean the end of the
  // file, which is not an error. Calls the plugin again for the rest if it
  // reports OK for fewer. Allocates nothing on success. Fails with the plugin's
  // error; UNIMPLEMENTED if it has no read; INTERNAL if it reports a number of
  // bytes that cannot be. The contents of `buffer` are then unspecified
  // (L214-L234).
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::StatusOr<size_t> Read(uint64_t offset,
                                                           size_t n,
                                                           char* buffer) const {
    const auto read = ops_.read;
    if (ABSL_PREDICT_FALSE(n == 0 || read == nullptr || !kCallsDirectly)) {
      return ReadSlow(offset, n, buffer);
    }
    StatusStorage status;
    const int64_t count = CallDirectly(ops_.status, status, read, wrapper(),
                                       offset, n, buffer, status.get());
    if (ABSL_PREDICT_TRUE(status.code == TF_OK &&
                          static_cast<uint64_t>(count) == n)) {
      return n;
    }
    return FinishDirectRead(offset, n, buffer, count, status);
  }

  // Returns the URI as the opener wrote it; valid as long as the file.
  std::string_view uri() const { return TrailingString(this, uri_bytes_); }

 private:
  template <Op op, typename File, typename Wrapper>
  friend class OpenOp;

  // Uses `ops`, a part of SchemeTables.
  RandomAccessFile(const DirectOps& ops, std::string_view uri)
      : ops_(ops), uri_bytes_(uri.size()) {}

  const SchemeTables& tables() const;
  const TF_RandomAccessFile* wrapper() const {
    return reinterpret_cast<const TF_RandomAccessFile*>(&plugin_file_);
  }

  // Reads when calling the plugin directly is not enough.
  absl::StatusOr<size_t> ReadSlow(uint64_t offset, size_t n,
                                  char* buffer) const;

  // Returns the result of a read that returned fewer bytes than requested;
  // `error` makes the error of one that failed.
  absl::StatusOr<size_t> FinishRead(
      uint64_t offset, size_t n, char* buffer, int64_t count, TF_Code code,
      const std::function<absl::Status()>& error) const;

  // Does what FinishRead does after a direct call.
  absl::StatusOr<size_t> FinishDirectRead(uint64_t offset, size_t n,
                                          char* buffer, int64_t count,
                                          const StatusStorage& status) const;

  int64_t ReadOnce(uint64_t offset, size_t n, char* buffer,
                   CallStatus& status) const;

  const DirectOps& ops_;
  void* plugin_file_ = nullptr;  // contents of a TF_RandomAccessFile
  RefPtr<const RefCounted> owner_;
  bool opened_ = false;
  const size_t uri_bytes_;
};

}  // namespace fsload

#endif  // FSLOAD_RANDOM_ACCESS_FILE_H_
