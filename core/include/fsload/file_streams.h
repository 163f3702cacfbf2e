// Files as std::istream and std::ostream, for code that takes these.
#ifndef FSLOAD_FILE_STREAMS_H_
#define FSLOAD_FILE_STREAMS_H_

#include <istream>
#include <memory>
#include <ostream>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/buffered_reader.h"
#include "fsload/buffered_writer.h"
#include "fsload/export.h"
#include "fsload/file_system.h"
#include "fsload/scheme_registry.h"

namespace FSLOAD_API fsload {

// A file to read. Where reading fails, the stream is at its end and bad():
// `status` has the error. The stream can seek, also relative to its end. One
// thread at a time. The memory is that of BufferedReader.
class InputFileStream final : public std::istream {
 public:
  // Opens `uri` as BufferedReader::Open does, and fails like it.
  static absl::StatusOr<std::unique_ptr<InputFileStream>> Open(
      const FileSystem& file_system, std::string_view uri,
      const BufferedReaderOptions& options = {});
  static absl::StatusOr<std::unique_ptr<InputFileStream>> Open(
      std::string_view uri, const BufferedReaderOptions& options = {},
      SchemeRegistry& registry = SchemeRegistry::Default());

  ~InputFileStream() override;

  // Returns the file's error; OK if there is none, as at the end of the file,
  // even if the stream is bad() for another reason.
  const absl::Status& status() const { return reader_->status(); }

 private:
  class Buffer;
  explicit InputFileStream(std::unique_ptr<BufferedReader> reader);
  static absl::StatusOr<std::unique_ptr<InputFileStream>> Of(
      absl::StatusOr<std::unique_ptr<BufferedReader>> reader);

  const std::unique_ptr<BufferedReader> reader_;
  const std::unique_ptr<Buffer> buffer_;
};

// A file to write. Where writing fails, the stream is bad(): `status` has the
// error, and the file is discarded. std::flush and std::endl leave what was
// written in the BufferedWriter's buffer: a store would publish an incomplete
// object each time. One thread at a time.
class OutputFileStream final : public std::ostream {
 public:
  // Opens `uri` as BufferedWriter::Open does, and fails like it.
  static absl::StatusOr<std::unique_ptr<OutputFileStream>> Open(
      const FileSystem& file_system, std::string_view uri,
      const BufferedWriterOptions& options = {});
  static absl::StatusOr<std::unique_ptr<OutputFileStream>> Open(
      std::string_view uri, const BufferedWriterOptions& options = {},
      SchemeRegistry& registry = SchemeRegistry::Default());

  // Closes the file or discards it, as ~BufferedWriter does. A stream that is
  // bad() discards it.
  ~OutputFileStream() override;

  // Writes out everything and closes the file. Only its result tells that all
  // is written. DATA_LOSS, with the file discarded, if the stream is bad() for
  // another reason than an error of the file.
  absl::Status Close();

  // Ends the file's use without closing it.
  void Discard() { writer_->Discard(); }

  // Returns the file's error; OK if there is none, even if the stream is bad()
  // for another reason.
  const absl::Status& status() const { return writer_->status(); }

 private:
  class Buffer;
  explicit OutputFileStream(std::unique_ptr<BufferedWriter> writer);
  static absl::StatusOr<std::unique_ptr<OutputFileStream>> Of(
      absl::StatusOr<std::unique_ptr<BufferedWriter>> writer);

  const std::unique_ptr<BufferedWriter> writer_;
  const std::unique_ptr<Buffer> buffer_;
};

}  // namespace fsload

#endif  // FSLOAD_FILE_STREAMS_H_
