// A file opened for writing at its end.
#ifndef FSLOAD_WRITABLE_FILE_H_
#define FSLOAD_WRITABLE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <exception>
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
struct SchemeTables;
}  // namespace fsload

namespace FSLOAD_API fsload {

enum class Op : uint8_t;  // fsload/op.h

// Made by FileSystem::NewWritableFile and NewAppendableFile, and keeps that
// file system alive. One thread at a time may use it (L366, L385). After Close
// or Discard, its operations fail with FAILED_PRECONDITION.
class WritableFile final : public TrailingText {
 public:
  // Closes the file unless it was closed or discarded; an error can only be
  // logged. While an exception unwinds the stack, discards the file instead,
  // because its contents are incomplete.
  ~WritableFile();
  WritableFile(const WritableFile&) = delete;
  WritableFile& operator=(const WritableFile&) = delete;

  // Writes all of `data` at the end, or fails: RESOURCE_EXHAUSTED if there was
  // room for only part of it (L248-L261). Allocates nothing on success.
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::Status Append(std::string_view data) {
    const auto append = ops_.append;
    // L160: no pointer is null, not even for empty data.
    if (ABSL_PREDICT_FALSE(closed_ || append == nullptr || data.empty() ||
                           !kCallsDirectly)) {
      return AppendSlow(data);
    }
    StatusStorage status;
    CallDirectly(ops_.status, status, append, wrapper(), data.data(),
                 data.size(), status.get());
    if (ABSL_PREDICT_TRUE(status.code == TF_OK)) return absl::OkStatus();
    return AppendError(status);
  }

  // Returns the position of the next byte to write (L263-L271).
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::StatusOr<int64_t> Tell() const {
    const auto tell = ops_.tell;
    if (ABSL_PREDICT_FALSE(closed_ || tell == nullptr || !kCallsDirectly)) {
      return TellSlow();
    }
    StatusStorage status;
    const int64_t position =
        CallDirectly(ops_.status, status, tell, wrapper(), status.get());
    if (ABSL_PREDICT_FALSE(status.code != TF_OK || position < 0)) {
      return TellError(position, status);
    }
    return position;
  }

  // Passes buffered data on without waiting for storage. Default: OK
  // (L273-L279).
  absl::Status Flush();

  // Waits until everything is stored. Default: OK (L281-L287).
  absl::Status Sync();

  // Writes out what is buffered and ends the file's use, even if it fails: the
  // plugin's close is called only once (L289-L296). UNIMPLEMENTED if the plugin
  // has no close; the file is then over all the same.
  absl::Status Close();

  // Ends the file's use without closing it. A store that publishes a file when
  // it is closed (Capabilities::replaces_atomically) publishes nothing;
  // elsewhere what was written so far stays.
  void Discard() { closed_ = true; }

  // Returns the URI as the opener wrote it; valid as long as the file.
  std::string_view uri() const { return TrailingString(this, uri_bytes_); }

 private:
  template <Op op, typename File, typename Wrapper>
  friend class OpenOp;

  // Uses `ops`, a part of SchemeTables.
  WritableFile(const DirectOps& ops, std::string_view uri)
      : ops_(ops), uri_bytes_(uri.size()) {}

  const SchemeTables& tables() const;
  const TF_WritableFile* wrapper() const {
    return reinterpret_cast<const TF_WritableFile*>(&plugin_file_);
  }

  // Appends, or returns the position, when calling the plugin directly is not
  // enough.
  absl::Status AppendSlow(std::string_view data);
  absl::StatusOr<int64_t> TellSlow() const;

  absl::Status AppendNothingIfEmpty();

  // Returns why a direct call failed. For a position: the status's error, or,
  // if that is TF_OK, the impossible position.
  absl::Status AppendError(const StatusStorage& status) const;
  absl::Status TellError(int64_t position, const StatusStorage& status) const;

  absl::Status ImpossiblePosition(int64_t position) const;
  absl::Status Closed(Op op) const;

  // Calls `op`, one of flush, sync and close.
  template <Op op>
  absl::Status WriteOut();

  const DirectOps& ops_;
  void* plugin_file_ = nullptr;  // contents of a TF_WritableFile
  RefPtr<const RefCounted> owner_;
  const size_t uri_bytes_;
  bool opened_ = false;
  bool closed_ = false;
  const int exceptions_ = std::uncaught_exceptions();  // when it was opened
};

}  // namespace fsload

#endif  // FSLOAD_WRITABLE_FILE_H_
