#include "fsload/buffered_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/calls/plugin_call.h"
#include "core/file_system/confirmed_stat.h"
#include "core/file_system/plugin_file_system.h"
#include "core/files/read_ahead.h"
#include "core/streams/unchanged.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Without reading ahead.
constexpr size_t kFirstBytes = size_t{1} << 14;
constexpr size_t kMaxBytes = size_t{1} << 20;
constexpr size_t kGrowth = 4;

// Whether a range that starts at `begin` may be read from `offset` on.
absl::Status CheckOffset(std::string_view uri, uint64_t offset,
                         uint64_t begin) {
  if (offset >= std::min<uint64_t>(begin, INT64_MAX)) return absl::OkStatus();
  return absl::InvalidArgumentError(CallMessage(
      Op::kRandomAccessFile_read, uri,
      Format("offset {} is before the range to read, which begins at {}",
             offset, begin)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<BufferedReader>> BufferedReader::Open(
    const FileSystem& file_system, std::string_view uri,
    const BufferedReaderOptions& options) {
  absl::StatusOr<std::unique_ptr<RandomAccessFile>> file =
      file_system.NewRandomAccessFile(uri);
  if (!file.ok()) return file.status();
  return std::unique_ptr<BufferedReader>(new BufferedReader(
      FileSystemPtr(&file_system), *std::move(file), options));
}

absl::StatusOr<std::unique_ptr<BufferedReader>> BufferedReader::Open(
    std::string_view uri, const BufferedReaderOptions& options,
    SchemeRegistry& registry) {
  const absl::StatusOr<FileSystemPtr> file_system = registry.Resolve(uri);
  if (!file_system.ok()) return file_system.status();
  return Open(**file_system, uri, options);
}

BufferedReader::BufferedReader(FileSystemPtr file_system,
                               std::unique_ptr<RandomAccessFile> file,
                               const BufferedReaderOptions& options)
    : file_system_(std::move(file_system)),
      file_(std::move(file)),
      options_(options),
      next_(options.range.offset) {}

BufferedReader::~BufferedReader() = default;

absl::StatusOr<size_t> BufferedReader::Read(char* buffer, size_t n) {
  size_t done = 0;
  while (done < n) {
    if (block_.empty()) {
      const absl::Status status = Fill();
      if (!status.ok()) return status;
      if (block_.empty()) break;
    }
    const size_t bytes = std::min(n - done, block_.size());
    std::memcpy(buffer + done, block_.data(), bytes);
    block_.remove_prefix(bytes);
    done += bytes;
  }
  return done;
}

absl::StatusOr<std::string_view> BufferedReader::ReadBlock() {
  if (block_.empty()) {
    const absl::Status status = Fill();
    if (!status.ok()) return status;
  }
  return std::exchange(block_, {});
}

absl::StatusOr<std::optional<std::string_view>> BufferedReader::ReadLine() {
  const size_t newline = block_.find('\n');
  if (newline == std::string_view::npos) return ReadSplitLine();
  if (newline > options_.max_line_bytes) return LineIsTooLong(position());
  const std::string_view line = block_.substr(0, newline);
  block_.remove_prefix(newline + 1);
  return line;
}

// A line that does not end in the block.
absl::StatusOr<std::optional<std::string_view>>
BufferedReader::ReadSplitLine() {
  const uint64_t offset = position();
  line_.clear();
  for (;;) {
    const size_t newline = block_.find('\n');
    const std::string_view part = block_.substr(0, newline);
    if (part.size() > options_.max_line_bytes - line_.size()) {
      return LineIsTooLong(offset);
    }
    line_ += part;
    if (newline != std::string_view::npos) {
      block_.remove_prefix(newline + 1);
      return line_;
    }
    block_ = {};
    const absl::Status status = Fill();
    if (!status.ok()) return status;
    if (block_.empty()) break;
  }
  if (position() == offset) return std::nullopt;
  return line_;
}

absl::Status BufferedReader::LineIsTooLong(uint64_t offset) {
  block_ = {};
  return Stick(ResourceExhaustedError(
      "{}: the line at offset {} is longer than {} bytes; raise "
      "BufferedReaderOptions::max_line_bytes, or read it in blocks",
      std::string(uri()), offset, options_.max_line_bytes));
}

void BufferedReader::Seek(uint64_t offset) {
  offset = std::min<uint64_t>(offset, INT64_MAX);
  const uint64_t here = position();
  const bool goes_on = status_.ok() && !is_end_;
  if (offset >= here && (offset < next_ || (offset == next_ && goes_on))) {
    block_.remove_prefix(offset - here);
    return;
  }
  status_ = CheckOffset(uri(), offset, options_.range.offset);
  block_ = {};
  next_ = offset;
  says_end_ = is_end_ = false;
  ahead_ = nullptr;
  buffer_bytes_ = 0;
}

void BufferedReader::Skip(uint64_t bytes) {
  const uint64_t here = position();
  Seek(here + std::min(bytes, UINT64_MAX - here));
}

absl::StatusOr<int64_t> BufferedReader::Length() const {
  return file_system_->GetFileSize(uri());
}

absl::Status BufferedReader::Fill() {
  bool was_asked = false;
  while (status_.ok() && next_ < options_.range.end() && !is_end_) {
    if (!says_end_) {
      const absl::StatusOr<std::string_view> block = NextBlock();
      if (!block.ok()) return Stick(block.status());
      if (!block->empty()) {
        const uint64_t end = next_ + block->size();
        // Who knows the length asks for no more than that.
        const bool is_last =
            version_.has_value() &&
            end >= std::min<uint64_t>(length_, options_.range.end());
        const absl::Status status = is_last ? CheckVersion() : status_;
        if (!status.ok()) return status;
        block_ = *block;
        next_ = end;
        return status;
      }
      says_end_ = true;
      if (was_asked) {
        return Stick(DataLossError(
            "{}: the plugin reported end of file after {} of {} bytes",
            std::string(uri()), next_, length_));
      }
    }
    const absl::StatusOr<bool> at_end = IsAtEnd();
    if (!at_end.ok()) return Stick(at_end.status());
    is_end_ = *at_end;
    // The file may have grown: what there is more decides.
    says_end_ = is_end_;
    was_asked = true;
    ahead_ = nullptr;
  }
  return CheckVersion();
}

// Remembers the version, as there is more to read of it.
absl::Status BufferedReader::TakeVersion() {
  const absl::StatusOr<FileStatistics> found =
      StatConfirmed(*file_system_, uri());
  if (absl::IsUnimplemented(found.status())) return absl::OkStatus();
  if (!found.ok()) return found.status();
  version_ = *found;
  length_ = found->length;
  return absl::OkStatus();
}

// A store's object may have been replaced between two reads.
absl::Status BufferedReader::CheckVersion() {
  if (!status_.ok() || !version_.has_value()) return status_;
  const absl::StatusOr<FileStatistics> after =
      StatConfirmed(*file_system_, uri());
  if (!after.ok()) return Stick(after.status());
  const FileStatistics before = *std::exchange(version_, std::nullopt);
  return Stick(CheckUnchanged(uri(), before, *after));
}

absl::StatusOr<std::string_view> BufferedReader::NextBlock() {
  if (!options_.reads_ahead) return ReadNow();
  if (ahead_ != nullptr) return ahead_->Next();
  const ReadAheadSize size = ReadAheadSizeFor(TablesOf(*file_system_).traits);
  ahead_ = std::make_unique<ReadAhead>(
      *file_, size, length_, ByteRange{next_, options_.range.end() - next_});
  const absl::StatusOr<std::string_view> first = ahead_->Next();
  // A file of more than a block is worth a question, so that several blocks are
  // read at once, and none beyond its end; and before the caller gets the
  // first: what replaces the file later is seen.
  if (size.blocks > 1 && !version_.has_value() && first.ok() &&
      first->size() >= ReadAhead::kFirstBytes &&
      first->size() < options_.range.end() - next_) {
    const absl::Status status = TakeVersion();
    if (!status.ok()) return status;
    ahead_->Expect(length_);
  }
  return first;
}

absl::StatusOr<std::string_view> BufferedReader::ReadNow() {
  const size_t bytes =
      std::clamp(buffer_bytes_ * kGrowth, kFirstBytes, kMaxBytes);
  if (bytes > buffer_bytes_) buffer_.reset(new char[bytes]);
  buffer_bytes_ = bytes;
  const size_t wanted = std::min<uint64_t>(bytes, options_.range.end() - next_);
  const absl::StatusOr<size_t> read = file_->Read(next_, wanted, buffer_.get());
  if (!read.ok()) return read.status();
  says_end_ = *read < wanted;
  return std::string_view(buffer_.get(), *read);
}

absl::StatusOr<bool> BufferedReader::IsAtEnd() {
  const SchemeTables& tables = TablesOf(*file_system_);
  // Trusts the kernel's own answer: files of /sys report 4096 bytes but hold
  // less.
  if (tables.traits.is_exact || tables.filesystem.stat == nullptr) return true;
  // Both answers agree.
  if (length_ >= 0 && static_cast<uint64_t>(length_) == next_) return true;
  const absl::StatusOr<FileStatistics> found =
      StatConfirmed(*file_system_, uri());
  if (!found.ok()) return found.status();
  length_ = found->length;
  return length_ < 0 || static_cast<uint64_t>(length_) <= next_;
}

absl::Status BufferedReader::Stick(absl::Status error) {
  status_ = std::move(error);
  return status_;
}

}  // namespace fsload
