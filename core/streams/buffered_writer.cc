#include "fsload/buffered_writer.h"

#include <cstring>
#include <utility>

#include "core/calls/file_cleanup.h"
#include "core/calls/plugin_call.h"
#include "core/file_system/plugin_file_system.h"

namespace fsload {

absl::StatusOr<std::unique_ptr<BufferedWriter>> BufferedWriter::Open(
    const FileSystem& file_system, std::string_view uri,
    const BufferedWriterOptions& options) {
  const bool has_close = TablesOf(file_system).writable_file.close != nullptr;
  // Before the file is emptied: there may be no memory.
  std::unique_ptr<BufferedWriter> writer(
      new BufferedWriter(has_close, options.buffer_bytes));
  absl::StatusOr<std::unique_ptr<WritableFile>> file =
      options.appends ? file_system.NewAppendableFile(uri)
                      : file_system.NewWritableFile(uri);
  if (!file.ok()) return file.status();
  writer->file_ = *std::move(file);
  writer->closed_ = false;
  return writer;
}

absl::StatusOr<std::unique_ptr<BufferedWriter>> BufferedWriter::Open(
    std::string_view uri, const BufferedWriterOptions& options,
    SchemeRegistry& registry) {
  const absl::StatusOr<FileSystemPtr> file_system = registry.Resolve(uri);
  if (!file_system.ok()) return file_system.status();
  return Open(**file_system, uri, options);
}

BufferedWriter::BufferedWriter(bool has_close, size_t buffer_bytes)
    : has_close_(has_close),
      buffer_bytes_(buffer_bytes),
      buffer_(new char[buffer_bytes_]) {}

BufferedWriter::~BufferedWriter() {
  if (closed_) return;
  if (std::uncaught_exceptions() > exceptions_) {
    Discard();
    return;
  }
  const absl::Status status = Close();
  if (!status.ok()) LogError(status);
}

absl::Status BufferedWriter::Append(std::string_view data) {
  absl::Status status = Check();
  if (!status.ok() || data.empty()) return status;
  if (data.size() > buffer_bytes_ - used_) status = PassOn();
  if (status.ok() && data.size() >= buffer_bytes_) {
    status = file_->Append(data);
    if (!status.ok()) return Stick(status);
    bytes_ += data.size();
    return status;
  }
  if (!status.ok()) return status;
  std::memcpy(buffer_.get() + used_, data.data(), data.size());
  used_ += data.size();
  bytes_ += data.size();
  return status;
}

absl::Status BufferedWriter::Flush() {
  absl::Status status = Check();
  if (status.ok()) status = PassOn();
  if (!status.ok()) return status;
  status = file_->Flush();
  return status.ok() ? status : Stick(status);
}

absl::Status BufferedWriter::Close() {
  absl::Status status = Check();
  if (status.ok()) status = PassOn();
  if (!status.ok()) return status;
  if (bytes_ == 0) {
    // Object stores (s3) create no object for a file to which nothing is
    // appended.
    status = file_->Append("");
    if (!status.ok() && !absl::IsUnimplemented(status)) return Stick(status);
  }
  closed_ = true;
  status = has_close_ ? file_->Close() : absl::OkStatus();
  if (!status.ok()) status_ = status;
  return status;
}

void BufferedWriter::Discard() {
  file_->Discard();
  closed_ = true;
}

absl::Status BufferedWriter::Check() {
  if (!status_.ok()) return status_;
  if (!closed_) return absl::OkStatus();
  status_ = absl::FailedPreconditionError(CallMessage(
      Op::kWritableFile_append, uri(), "the file is already closed"));
  return status_;
}

absl::Status BufferedWriter::Stick(absl::Status error) {
  Discard();
  status_ = std::move(error);
  return status_;
}

// Empties the buffer.
absl::Status BufferedWriter::PassOn() {
  if (used_ == 0) return absl::OkStatus();
  const absl::Status status = file_->Append({buffer_.get(), used_});
  used_ = 0;
  return status.ok() ? status : Stick(status);
}

}  // namespace fsload
