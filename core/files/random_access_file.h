// A file open for reading, at any offset.
#ifndef FSLOAD_CORE_FILES_RANDOM_ACCESS_FILE_H_
#define FSLOAD_CORE_FILES_RANDOM_ACCESS_FILE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compat/filesystem_interface.h"
#include "core/calls/direct_call.h"
#include "core/files/trailing_text.h"
#include "core/tables/op_tables.h"
#include "core/threads/owner_count.h"

namespace fsload {

class CallStatus;

// Made by FileSystem::NewRandomAccessFile, and keeps that file system alive.
// Any number of threads may read at once (L223, L347).
class RandomAccessFile final : public TrailingText {
 public:
  ~RandomAccessFile();
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  // Reads up to `n` bytes at `offset` into `buffer`, which has room for them,
  // and yields how many: fewer than `n` mean the end of the file, which is no
  // error. Allocates nothing on success. Fails as the plugin does; what
  // `buffer` then holds is unspecified (L214-L234).
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::StatusOr<size_t> Read(uint64_t offset,
                                                           size_t n,
                                                           char* buffer) const {
    const auto read = tables_.random_access_file.read;
    if (ABSL_PREDICT_FALSE(n == 0 || read == nullptr ||
                           !TakesDirectCalls(tables_))) {
      return ReadAtLength(offset, n, buffer);
    }
    StatusStorage status;
    const int64_t count = CallDirectly(tables_, status, read, &wrapper_, offset,
                                       n, buffer, status.get());
    if (ABSL_PREDICT_TRUE(status.code == TF_OK &&
                          static_cast<uint64_t>(count) == n)) {
      return n;
    }
    return FinishDirectRead(offset, n, buffer, count, status);
  }

  // As the opener wrote it; lives as long as the file.
  std::string_view uri() const { return TextBehind(this, uri_bytes_); }

 private:
  template <typename File, typename Wrapper>
  friend class OpenOp;

  RandomAccessFile(const SchemeTables& tables, std::string_view uri)
      : tables_(tables), uri_bytes_(uri.size()) {}

  // Read, where there is more to it than calling the plugin.
  absl::StatusOr<size_t> ReadAtLength(uint64_t offset, size_t n,
                                      char* buffer) const;

  // What a read that did not give all it was asked for means; `error` yields
  // the error of one that failed.
  absl::StatusOr<size_t> FinishRead(
      uint64_t offset, size_t n, char* buffer, int64_t count, TF_Code code,
      const std::function<absl::Status()>& error) const;

  // The same after a direct call.
  absl::StatusOr<size_t> FinishDirectRead(uint64_t offset, size_t n,
                                          char* buffer, int64_t count,
                                          const StatusStorage& status) const;

  // One call into the plugin.
  int64_t ReadOnce(uint64_t offset, size_t n, char* buffer,
                   CallStatus& status) const;

  const SchemeTables& tables_;
  TF_RandomAccessFile wrapper_ = {nullptr};
  Owner owner_;
  bool opened_ = false;
  const size_t uri_bytes_;
};

}  // namespace fsload

#endif  // FSLOAD_CORE_FILES_RANDOM_ACCESS_FILE_H_
