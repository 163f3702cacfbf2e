#include "tools/files/run/source.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/file_system/plugin_file_system.h"
#include "tools/files/state/interruption.h"
#include "tools/files/stores/trailing_slash.h"

namespace fsload {
namespace {

// Lengths are signed (L579), so no file has a byte there.
constexpr uint64_t kFarthest = INT64_MAX;

// Waits with poll, as the interruption handler restarts a blocked read.
absl::StatusOr<size_t> ReadStandardInput(char* buffer, size_t n) {
  constexpr int kPatienceMs = 100;
  for (;;) {
    absl::Status status = CheckInterruption();
    if (!status.ok()) return status;
    pollfd input = {STDIN_FILENO, POLLIN, 0};
    const int ready = poll(&input, 1, kPatienceMs);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t bytes = read(STDIN_FILENO, buffer, n);
    if (bytes >= 0) return bytes;
    if (errno == EINTR || errno == EAGAIN) continue;
    return absl::InternalError(fmt::format(
        "standard input: {}; the input is incomplete", strerror(errno)));
  }
}

}  // namespace

absl::StatusOr<Source> Source::Open(VerbRun& run, const std::string& uri) {
  if (uri == "-") return StandardInput();
  const absl::StatusOr<FileSystemPtr> file_system = run.FileSystemFor(uri);
  if (!file_system.ok()) return file_system.status();
  const absl::Status fits = CheckTrailingSlash(**file_system, uri);
  if (!fits.ok()) return fits;
  absl::StatusOr<std::unique_ptr<RandomAccessFile>> file =
      (*file_system)->NewRandomAccessFile(uri);
  if (!file.ok()) return file.status();
  return Source(*std::move(file), *file_system, uri);
}

absl::StatusOr<std::optional<uint64_t>> Source::Length() const {
  if (is_standard_input()) return std::nullopt;
  const absl::StatusOr<FileStatistics> found = file_system_->Stat(uri_);
  if (absl::IsUnimplemented(found.status())) return std::nullopt;
  if (!found.ok()) return found.status();
  // Files of /proc report 0.
  if (found->length <= 0) return std::nullopt;
  return static_cast<uint64_t>(found->length);
}

void Source::SeekTo(uint64_t offset) {
  offset_ = offset;
  was_short_ = false;
  ended_ = false;
}

absl::StatusOr<bool> Source::IsAtEnd() const {
  const SchemeTables& tables = TablesOf(*file_system_);
  // Trusts the kernel's own answer: files of /sys report 4096 bytes but hold
  // less.
  if (tables.traits.is_exact || tables.filesystem.stat == nullptr) return true;
  const absl::StatusOr<FileStatistics> found = file_system_->Stat(uri_);
  if (!found.ok()) return found.status();
  length_ = found->length;
  return length_ < 0 || static_cast<uint64_t>(length_) <= offset_;
}

absl::StatusOr<size_t> Source::Read(char* buffer, size_t n) {
  if (is_standard_input()) return ReadStandardInput(buffer, n);
  absl::Status status = CheckInterruption();
  if (!status.ok()) return status;
  n = std::min<uint64_t>(n, kFarthest - offset_);
  if (n == 0 || ended_) return 0;
  // L227: fewer bytes only at the end of the file. Compares that with the
  // length, and reads on if the file has grown meanwhile.
  for (;;) {
    if (was_short_) {
      const absl::StatusOr<bool> at_end = IsAtEnd();
      if (!at_end.ok()) return at_end.status();
      ended_ = *at_end;
      if (ended_) return 0;
    }
    const absl::StatusOr<size_t> bytes = file_->Read(offset_, n, buffer);
    if (!bytes.ok()) return bytes;
    if (*bytes == 0 && was_short_) {
      return absl::DataLossError(fmt::format(
          "{}: the plugin reported end of file after {} of {} bytes", uri_,
          offset_, length_));
    }
    offset_ += *bytes;
    was_short_ = *bytes < n;
    if (*bytes > 0) return bytes;
  }
}

absl::StatusOr<size_t> Source::ReadAll(char* buffer, size_t n) {
  size_t done = 0;
  while (done < n) {
    const absl::StatusOr<size_t> bytes = Read(buffer + done, n - done);
    if (!bytes.ok()) return bytes;
    if (*bytes == 0) break;
    done += *bytes;
  }
  return done;
}

absl::Status Source::Skip(uint64_t bytes) {
  if (!is_standard_input()) {
    offset_ += std::min(bytes, kFarthest - offset_);
    return absl::OkStatus();
  }
  std::string ignored(std::min<uint64_t>(bytes, kBlockBytes), '\0');
  while (bytes > 0) {
    const absl::StatusOr<size_t> read =
        Read(ignored.data(), std::min<uint64_t>(bytes, ignored.size()));
    if (!read.ok()) return read.status();
    if (*read == 0) break;
    bytes -= *read;
  }
  return absl::OkStatus();
}

}  // namespace fsload
