// Writes a file in small pieces.
#ifndef FSLOAD_BUFFERED_WRITER_H_
#define FSLOAD_BUFFERED_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/export.h"
#include "fsload/file_system.h"
#include "fsload/scheme_registry.h"
#include "fsload/writable_file.h"

namespace FSLOAD_API fsload {

// A value type.
struct BufferedWriterOptions {
  // The bytes that are collected before the plugin gets them. A piece of at
  // least as many is passed on as it is.
  size_t buffer_bytes = size_t{256} << 10;

  // Whether to write at the end of an existing file rather than replace it.
  bool appends = false;
};

// Collects what is appended in a buffer of buffer_bytes. One thread at a time.
// Keeps the file system alive.
//
// Errors are sticky: after one, the file is discarded (WritableFile::Discard),
// so that a store which publishes objects when they are closed (s3, gs)
// publishes nothing, and every call returns that error. Elsewhere what was
// written before stays; WriteFileAtomically (fsload/whole_file.h) leaves
// nothing.
class BufferedWriter final {
 public:
  // Opens `uri` for writing, at its end with options.appends. `file_system` and
  // `uri` need not outlive the call. Fails as FileSystem::NewWritableFile or
  // NewAppendableFile does. Throws std::bad_alloc before it opens the file.
  static absl::StatusOr<std::unique_ptr<BufferedWriter>> Open(
      const FileSystem& file_system, std::string_view uri,
      const BufferedWriterOptions& options = {});

  // Does the same with the file system for the scheme of `uri`. NOT_FOUND if
  // there is none.
  static absl::StatusOr<std::unique_ptr<BufferedWriter>> Open(
      std::string_view uri, const BufferedWriterOptions& options = {},
      SchemeRegistry& registry = SchemeRegistry::Default());

  // Closes the file unless that was done; an error can only be logged. While an
  // exception unwinds the stack, discards it, because it is incomplete; the end
  // of a thread by pthread_exit or cancellation is none.
  ~BufferedWriter();
  BufferedWriter(const BufferedWriter&) = delete;
  BufferedWriter& operator=(const BufferedWriter&) = delete;

  // Adds `data` at the end. OK only says that it is in the buffer: Close tells
  // whether all was written. Fails like WritableFile::Append.
  absl::Status Append(std::string_view data);

  // Passes the buffer on to the plugin, and flushes that. A store may publish
  // what there is so far. Fails like WritableFile::Append and Flush.
  absl::Status Flush();

  // Passes the buffer on and closes the file. Fails like WritableFile::Append
  // and Close; that a plugin has no close is not an error. Afterwards every
  // call is FAILED_PRECONDITION, or the error if this failed.
  absl::Status Close();

  // Drops the buffer and ends the file's use without closing it
  // (WritableFile::Discard). Afterwards every call is FAILED_PRECONDITION.
  void Discard();

  // Returns how many bytes were appended.
  uint64_t bytes() const { return bytes_; }

  // Returns the sticky error; OK if there is none.
  const absl::Status& status() const { return status_; }

  // Returns the URI as the opener wrote it; valid as long as the writer.
  std::string_view uri() const { return file_->uri(); }

 private:
  BufferedWriter(bool has_close, size_t buffer_bytes);

  // Returns OK if the file can be written to.
  absl::Status Check();
  absl::Status Stick(absl::Status error);
  absl::Status PassOn();

  std::unique_ptr<WritableFile> file_;  // null until Open has opened it
  const bool has_close_;
  const size_t buffer_bytes_;
  const std::unique_ptr<char[]> buffer_;
  size_t used_ = 0;  // of the buffer
  uint64_t bytes_ = 0;
  bool closed_ = true;
  absl::Status status_;
  const int exceptions_ = std::uncaught_exceptions();  // when it was opened
};

}  // namespace fsload

#endif  // FSLOAD_BUFFERED_WRITER_H_
