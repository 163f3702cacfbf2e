#include "fsload/file_streams.h"

#include <algorithm>
#include <cstdint>
#include <ios>
#include <utility>

#include "core/calls/plugin_call.h"

namespace fsload {
// Its get area is the reader's block, which it does not change.
class InputFileStream::Buffer final : public std::streambuf {
 public:
  Buffer(std::ios& stream, BufferedReader& reader)
      : stream_(stream), reader_(reader) {}

 protected:
  int_type underflow() override {
    if (gptr() == egptr()) {
      const absl::StatusOr<std::string_view> block = reader_.ReadBlock();
      // Not thrown: what reads a streambuf itself would not expect that.
      if (!block.ok()) stream_.setstate(std::ios::badbit);
      if (!block.ok() || block->empty()) {
        setg(nullptr, nullptr, nullptr);
        return traits_type::eof();
      }
      char* const bytes = const_cast<char*>(block->data());
      setg(bytes, bytes, bytes + block->size());
    }
    return traits_type::to_int_type(*gptr());
  }

  pos_type seekoff(off_type offset, std::ios::seekdir from,
                   std::ios::openmode) override {
    const auto here = static_cast<off_type>(reader_.position()) -
                      static_cast<off_type>(egptr() - gptr());
    off_type base = from == std::ios::beg ? 0 : here;
    if (from == std::ios::end) {
      const absl::StatusOr<int64_t> length = reader_.Length();
      if (!length.ok()) return pos_type(off_type(-1));
      base = *length;
    }
    off_type to;
    if (__builtin_add_overflow(base, offset, &to) || to < 0) {
      return pos_type(off_type(-1));
    }
    // tellg() must neither drop the block nor clear an error.
    const bool asks = from == std::ios::cur && offset == 0;
    if (asks || (to == here && gptr() != egptr())) return to;
    setg(nullptr, nullptr, nullptr);
    reader_.Seek(static_cast<uint64_t>(to));
    return to;
  }

  pos_type seekpos(pos_type position, std::ios::openmode which) override {
    return seekoff(off_type(position), std::ios::beg, which);
  }

 private:
  std::ios& stream_;
  BufferedReader& reader_;
};

InputFileStream::InputFileStream(std::unique_ptr<BufferedReader> reader)
    : std::istream(nullptr),
      reader_(std::move(reader)),
      buffer_(std::make_unique<Buffer>(*this, *reader_)) {
  rdbuf(buffer_.get());
}

InputFileStream::~InputFileStream() = default;

absl::StatusOr<std::unique_ptr<InputFileStream>> InputFileStream::Of(
    absl::StatusOr<std::unique_ptr<BufferedReader>> reader) {
  if (!reader.ok()) return reader.status();
  return std::unique_ptr<InputFileStream>(
      new InputFileStream(*std::move(reader)));
}

absl::StatusOr<std::unique_ptr<InputFileStream>> InputFileStream::Open(
    const FileSystem& file_system, std::string_view uri,
    const BufferedReaderOptions& options) {
  return Of(BufferedReader::Open(file_system, uri, options));
}

absl::StatusOr<std::unique_ptr<InputFileStream>> InputFileStream::Open(
    std::string_view uri, const BufferedReaderOptions& options,
    SchemeRegistry& registry) {
  return Of(BufferedReader::Open(uri, options, registry));
}

// Its put area is small: the writer has the buffer.
class OutputFileStream::Buffer final : public std::streambuf {
 public:
  explicit Buffer(BufferedWriter& writer) : writer_(writer) {
    setp(area_, area_ + sizeof(area_));
  }

  // Passes on what the put area has.
  absl::Status PassOn() {
    const absl::Status status =
        writer_.Append({pbase(), static_cast<size_t>(pptr() - pbase())});
    setp(area_, status.ok() ? area_ + sizeof(area_) : area_);
    return status;
  }

  // Takes no more.
  void End() { setp(area_, area_); }

 protected:
  int_type overflow(int_type character) override {
    if (!PassOn().ok()) return traits_type::eof();
    if (traits_type::eq_int_type(character, traits_type::eof())) {
      return traits_type::not_eof(character);
    }
    return sputc(traits_type::to_char_type(character));
  }

  std::streamsize xsputn(const char* bytes, std::streamsize count) override {
    if (count <= epptr() - pptr()) {
      std::copy_n(bytes, count, pptr());
      pbump(static_cast<int>(count));
      return count;
    }
    absl::Status status = PassOn();
    if (status.ok()) {
      status = writer_.Append({bytes, static_cast<size_t>(count)});
    }
    return status.ok() ? count : 0;
  }

  int sync() override { return PassOn().ok() ? 0 : -1; }

  // tellp() only: what is written stays.
  pos_type seekoff(off_type offset, std::ios::seekdir from,
                   std::ios::openmode) override {
    if (offset != 0 || from != std::ios::cur) return pos_type(off_type(-1));
    return off_type(writer_.bytes()) + (pptr() - pbase());
  }

 private:
  BufferedWriter& writer_;
  char area_[512];
};

OutputFileStream::OutputFileStream(std::unique_ptr<BufferedWriter> writer)
    : std::ostream(nullptr),
      writer_(std::move(writer)),
      buffer_(std::make_unique<Buffer>(*writer_)) {
  rdbuf(buffer_.get());
}

OutputFileStream::~OutputFileStream() {
  // The writer discards an incomplete file of an unwinding stack; it closes, or
  // logs the error of, any other.
  if (bad()) {
    Discard();
  } else {
    buffer_->PassOn().IgnoreError();
  }
}

absl::StatusOr<std::unique_ptr<OutputFileStream>> OutputFileStream::Of(
    absl::StatusOr<std::unique_ptr<BufferedWriter>> writer) {
  if (!writer.ok()) return writer.status();
  return std::unique_ptr<OutputFileStream>(
      new OutputFileStream(*std::move(writer)));
}

absl::StatusOr<std::unique_ptr<OutputFileStream>> OutputFileStream::Open(
    const FileSystem& file_system, std::string_view uri,
    const BufferedWriterOptions& options) {
  return Of(BufferedWriter::Open(file_system, uri, options));
}

absl::StatusOr<std::unique_ptr<OutputFileStream>> OutputFileStream::Open(
    std::string_view uri, const BufferedWriterOptions& options,
    SchemeRegistry& registry) {
  return Of(BufferedWriter::Open(uri, options, registry));
}

absl::Status OutputFileStream::Close() {
  absl::Status status = buffer_->PassOn();
  if (status.ok() && bad()) {
    Discard();
    return absl::DataLossError(CallMessage(
        Op::kWritableFile_close, writer_->uri(),
        "writing to the stream failed before; the file is incomplete"));
  }
  if (status.ok()) status = writer_->Close();
  buffer_->End();
  if (!status.ok()) setstate(std::ios::badbit);
  return status;
}

}  // namespace fsload
