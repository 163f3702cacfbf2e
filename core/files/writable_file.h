// A file open for writing, at its end.
#ifndef FSLOAD_CORE_FILES_WRITABLE_FILE_H_
#define FSLOAD_CORE_FILES_WRITABLE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compat/filesystem_interface.h"
#include "core/calls/direct_call.h"
#include "core/files/trailing_text.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "core/threads/owner_count.h"

namespace fsload {

// Made by FileSystem::NewWritableFile and NewAppendableFile, and keeps that
// file system alive. One thread at a time may use it (L366, L385). After Close,
// all but the destructor answer FAILED_PRECONDITION.
class WritableFile final : public TrailingText {
 public:
  // Closes the file if that was not done; what then fails can only be logged.
  // While an exception unwinds the stack, discards it: what was written so far
  // is not all of it.
  ~WritableFile();
  WritableFile(const WritableFile&) = delete;
  WritableFile& operator=(const WritableFile&) = delete;

  // Writes all of `data` at the end, or fails: RESOURCE_EXHAUSTED where there
  // was room for a part (L248-L261). Allocates nothing on success.
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::Status Append(std::string_view data) {
    const auto append = tables_.writable_file.append;
    // L160: no pointer is null, that of no data neither.
    if (ABSL_PREDICT_FALSE(closed_ || append == nullptr || data.empty() ||
                           !TakesDirectCalls(tables_))) {
      return AppendAtLength(data);
    }
    StatusStorage status;
    CallDirectly(tables_, status, append, &wrapper_, data.data(), data.size(),
                 status.get());
    if (ABSL_PREDICT_TRUE(status.code == TF_OK)) return absl::OkStatus();
    return ErrorOf(status, Op::kWritableFile_append, uri());
  }

  // The position of the next byte to be written (L263-L271).
  ABSL_ATTRIBUTE_ALWAYS_INLINE absl::StatusOr<int64_t> Tell() const {
    const auto tell = tables_.writable_file.tell;
    if (ABSL_PREDICT_FALSE(closed_ || tell == nullptr ||
                           !TakesDirectCalls(tables_))) {
      return TellAtLength();
    }
    StatusStorage status;
    const int64_t position =
        CallDirectly(tables_, status, tell, &wrapper_, status.get());
    if (ABSL_PREDICT_FALSE(status.code != TF_OK)) {
      return ErrorOf(status, Op::kWritableFile_tell, uri());
    }
    if (ABSL_PREDICT_FALSE(position < 0)) return ImpossiblePosition(position);
    return position;
  }

  // Hands buffers on, without waiting for storage. Default: OK (L273-L279).
  absl::Status Flush();

  // Waits until all is stored. Default: OK (L281-L287).
  absl::Status Sync();

  // Writes out what is buffered and ends the file's use, also when it fails:
  // the plugin is asked once (L289-L296).
  absl::Status Close();

  // Ends the file's use without closing it. A store that shows a file at its
  // close (PluginTraits::replaces_atomically) shows nothing of it; elsewhere
  // stays what was written so far.
  void Discard() { closed_ = true; }

  // As the opener wrote it; lives as long as the file.
  std::string_view uri() const { return TextBehind(this, uri_bytes_); }

 private:
  template <typename File, typename Wrapper>
  friend class OpenOp;

  using StatusOnly = void (*)(const TF_WritableFile*, TF_Status*);

  WritableFile(const SchemeTables& tables, std::string_view uri)
      : tables_(tables), uri_bytes_(uri.size()) {}

  // Append and Tell, where there is more to them than calling the plugin.
  absl::Status AppendAtLength(std::string_view data);
  absl::StatusOr<int64_t> TellAtLength() const;

  absl::Status ImpossiblePosition(int64_t position) const;
  absl::Status Closed(Op op) const;
  absl::Status CallOrSkip(Op op, StatusOnly function);

  const SchemeTables& tables_;
  TF_WritableFile wrapper_ = {nullptr};
  Owner owner_;
  const size_t uri_bytes_;
  bool opened_ = false;
  bool closed_ = false;
  const int exceptions_ = std::uncaught_exceptions();  // when it was opened
};

}  // namespace fsload

#endif  // FSLOAD_CORE_FILES_WRITABLE_FILE_H_
