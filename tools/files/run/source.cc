#include "tools/files/run/source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/file_system/plugin_file_system.h"
#include "core/paths/bucket.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"
#include "tools/files/locations/local_tree.h"
#include "tools/session/interruption.h"

namespace fsload {
namespace {

// Of a stream, where little may be needed.
constexpr size_t kFirstBytes = size_t{1} << 14;

// Waits with poll, as the interruption handler restarts a blocked read.
absl::StatusOr<size_t> ReadStream(int fd, const std::string& name, char* buffer,
                                  size_t n) {
  constexpr int kPollTimeoutMs = 100;
  for (;;) {
    absl::Status status = CheckInterruption();
    if (!status.ok()) return status;
    pollfd input = {fd, POLLIN, 0};
    const int ready = poll(&input, 1, kPollTimeoutMs);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t bytes = read(fd, buffer, n);
    if (bytes >= 0) return bytes;
    if (errno == EINTR || errno == EAGAIN) continue;
    return ErrnoError(errno, "{}: the input is incomplete", name);
  }
}

// The local path of a stream, a FIFO or a character device: a pipe of the
// shell, as "/dev/fd/63" for `<(...)`, or a terminal. "" for anything else.
std::string PathOfStream(const FileSystem& file_system,
                         const std::string& uri) {
  if (!TablesOf(file_system).traits.has_local_paths) return "";
  const absl::StatusOr<std::string> path = file_system.TranslateName(uri);
  struct stat found;
  const bool is_stream = path.ok() && stat(path->c_str(), &found) == 0 &&
                         (S_ISFIFO(found.st_mode) || S_ISCHR(found.st_mode));
  return is_stream ? *path : "";
}

// Returns `status`, or what is wrong with `uri`. A directory of a store is no
// object, and so missing to those who read it; the root of one has no name. And
// some plugins report a missing file as any other error.
absl::Status Explained(const FileSystem& file_system, const std::string& uri,
                       const absl::Status& status) {
  const bool hides = absl::IsInternal(status) || absl::IsUnknown(status);
  const bool is_root = absl::IsInvalidArgument(status) && IsBucketRoot(uri);
  if (!hides && !is_root && !absl::IsNotFound(status)) return status;
  const absl::StatusOr<std::optional<FileStatistics>> found =
      file_system.StatIfExists(uri);
  if (!found.ok()) return status;
  if (!found->has_value()) {
    return hides ? NotFoundError("{}: does not exist", uri) : status;
  }
  if (!(*found)->is_directory) return status;
  return FailedPreconditionError("{}: is a directory, not a file", uri);
}

}  // namespace

absl::StatusOr<Source> Source::Open(VerbRun& run, const std::string& uri,
                                    const BufferedReaderOptions& options) {
  if (uri == "-") return Stream("standard input", Descriptor(), options);
  const absl::StatusOr<FileSystemPtr> file_system = run.FileSystemFor(uri);
  if (!file_system.ok()) return file_system.status();
  const absl::Status fits = CheckTrailingSlash(**file_system, uri);
  if (!fits.ok()) return fits;
  const std::string stream = PathOfStream(**file_system, uri);
  if (!stream.empty()) {
    // Does not wait for a writer: poll waits for the first one.
    Descriptor opened(
        open(stream.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!opened.ok()) return LocalError(errno, uri);
    return Stream(uri, std::move(opened), options);
  }
  absl::StatusOr<std::unique_ptr<BufferedReader>> reader =
      BufferedReader::Open(**file_system, uri, options);
  if (!reader.ok()) return Explained(**file_system, uri, reader.status());
  return Source(*file_system, *std::move(reader), options);
}

bool Source::IsStream(const FileSystem& file_system, const std::string& uri) {
  return !PathOfStream(file_system, uri).empty();
}

Source Source::Stream(const std::string& name, Descriptor opened,
                      const BufferedReaderOptions& options) {
  Source source(nullptr, nullptr, options);
  source.name_ = name;
  source.opened_ = std::move(opened);
  return source;
}

absl::StatusOr<std::optional<uint64_t>> Source::Length() const {
  if (is_stream()) return std::nullopt;
  const absl::StatusOr<int64_t> length = reader_->Length();
  if (absl::IsUnimplemented(length.status())) return std::nullopt;
  if (!length.ok()) {
    return Explained(*file_system_, std::string(reader_->uri()),
                     length.status());
  }
  // Files of /proc report 0, those of /sys the size of a page.
  constexpr int64_t kPseudoBytes = 64 << 10;
  const bool may_lie = TablesOf(*file_system_).traits.is_exact;
  if (*length <= (may_lie ? kPseudoBytes : 0)) return std::nullopt;
  return static_cast<uint64_t>(*length);
}

void Source::SeekTo(uint64_t offset) {
  reader_->Seek(offset);
  rest_ = {};
}

void Source::LeaveUnread(size_t n) const {
  if (!is_stream() || opened_.ok()) return;
  static_cast<void>(lseek(STDIN_FILENO, -static_cast<off_t>(n), SEEK_CUR));
}

absl::StatusOr<std::string_view> Source::Next() { return Take(kBlockBytes); }

absl::StatusOr<size_t> Source::ReadAll(char* buffer, size_t n) {
  size_t done = 0;
  while (done < n) {
    const absl::StatusOr<std::string_view> bytes = Take(n - done);
    if (!bytes.ok()) return bytes.status();
    if (bytes->empty()) break;
    done += bytes->copy(buffer + done, bytes->size());
  }
  return done;
}

absl::StatusOr<std::string_view> Source::Take(size_t n) {
  const absl::Status status = CheckInterruption();
  if (!status.ok()) return status;
  if (rest_.empty()) {
    const absl::StatusOr<std::string_view> block =
        is_stream() ? NextOfStream() : reader_->ReadBlock();
    if (!block.ok() && is_stream()) return block.status();
    if (!block.ok()) {
      return Explained(*file_system_, std::string(reader_->uri()),
                       block.status());
    }
    rest_ = *block;
  }
  const std::string_view taken = rest_.substr(0, n);
  rest_.remove_prefix(taken.size());
  return taken;
}

absl::StatusOr<std::string_view> Source::NextOfStream() {
  const size_t most = reads_ahead_ ? kBlockBytes : kFirstBytes;
  if (buffer_ == nullptr) buffer_.reset(new char[most]);
  for (;;) {
    const uint64_t wanted = std::min<uint64_t>(most, skip_ > 0 ? skip_ : left_);
    if (wanted == 0) return std::string_view();
    const absl::StatusOr<size_t> read =
        ReadStream(opened_.ok() ? opened_.get() : STDIN_FILENO, name_,
                   buffer_.get(), wanted);
    if (!read.ok()) return read.status();
    const bool was_wanted = skip_ == 0 || *read == 0;
    (skip_ > 0 ? skip_ : left_) -= *read;
    if (was_wanted) return std::string_view(buffer_.get(), *read);
  }
}

}  // namespace fsload
