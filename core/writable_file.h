// A file open for writing, at its end.
#ifndef FSLOAD_CORE_WRITABLE_FILE_H_
#define FSLOAD_CORE_WRITABLE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "compat/filesystem_interface.h"
#include "core/op_tables.h"
#include "core/operations.h"
#include "core/trailing_text.h"

namespace fsload {

// Made by FileSystem::NewWritableFile and NewAppendableFile, and keeps that
// file system alive. One thread at a time may use it (L366, L385). After Close,
// all but the destructor answer FAILED_PRECONDITION.
class WritableFile final : public TrailingText {
 public:
  // Closes the file if that was not done; what then fails can only be logged.
  ~WritableFile();
  WritableFile(const WritableFile&) = delete;
  WritableFile& operator=(const WritableFile&) = delete;

  // Writes all of `data` at the end, or fails: RESOURCE_EXHAUSTED where there
  // was room for a part (L248-L261). Allocates nothing on success.
  absl::Status Append(std::string_view data);

  // The position of the next byte to be written (L263-L271).
  absl::StatusOr<int64_t> Tell() const;

  // Hands buffers on, without waiting for storage. Default: OK (L273-L279).
  absl::Status Flush();

  // Waits until all is stored. Default: OK (L281-L287).
  absl::Status Sync();

  // Writes out what is buffered and ends the file's use, also when it fails:
  // the plugin is asked once (L289-L296).
  absl::Status Close();

  // As the opener wrote it; lives as long as the file.
  std::string_view uri() const { return TextBehind(this, uri_bytes_); }

 private:
  friend class PluginOps;

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
  std::shared_ptr<const void> owner_;  // set once it is open
  const size_t uri_bytes_;
  bool closed_ = false;
};

}  // namespace fsload

#endif  // FSLOAD_CORE_WRITABLE_FILE_H_
