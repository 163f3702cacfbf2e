#include "tools/text/output.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <string_view>

#include "third_party/fmt/format.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

struct Buffer {
  size_t begin;     // everything before it is written
  size_t end;       // everything after it is free
  int write_error;  // errno of the first error
  char text[size_t{64} << 10];
};

Buffer own_buffer;
Buffer* buffer = &own_buffer;
int output_descriptor = STDOUT_FILENO;
bool (*gives_up)() = nullptr;  // null: never

// Returns how much can be written at once without waiting for the reader, if
// poll says that something can: a pipe has room for PIPE_BUF then, and for more
// if it is empty.
size_t MostAtOnce() {
  static const int pipe_bytes = fcntl(output_descriptor, F_GETPIPE_SZ);
  if (pipe_bytes < 0) return SIZE_MAX;
  int unread = 0;
  const bool is_empty =
      ioctl(output_descriptor, FIONREAD, &unread) == 0 && unread == 0;
  return is_empty ? pipe_bytes : PIPE_BUF;
}

// Writes the first part of `text`, and returns its length; all of it after an
// error, which the buffer keeps. Waits for the reader with poll, which ends
// where write(2) would wait on.
size_t Write(std::string_view text) {
  constexpr int kPollTimeoutMs = 100;
  while (buffer->write_error == 0) {
    pollfd output = {output_descriptor, POLLOUT, 0};
    const int ready = poll(&output, 1, kPollTimeoutMs);
    const bool waits = ready == 0 || (ready < 0 && errno == EINTR);
    if (ready == 0 && gives_up != nullptr && gives_up()) {
      buffer->write_error = EINTR;
    }
    if (waits) continue;
    const ssize_t written = write(output_descriptor, text.data(),
                                  std::min(text.size(), MostAtOnce()));
    if (written >= 0) return written;
    if (errno != EINTR && errno != EAGAIN) buffer->write_error = errno;
  }
  return text.size();
}

void WriteAll(std::string_view text) {
  while (!text.empty()) text.remove_prefix(Write(text));
}

// A misbehaving plugin may have overwritten the numbers.
void KeepInBounds() {
  buffer->end = std::min(buffer->end, sizeof(buffer->text));
  buffer->begin = std::min(buffer->begin, buffer->end);
}

void Flush() {
  KeepInBounds();
  while (buffer->begin < buffer->end) {
    buffer->begin +=
        Write({buffer->text + buffer->begin, buffer->end - buffer->begin});
  }
  buffer->begin = buffer->end = 0;
}

// On standard error.
void PrintLine(std::string_view kind, std::string_view text) {
  const std::string line = Format("fsload: {}: {}\n", kind, Visible(text));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void ShareOutput() {
  void* const pages = mmap(nullptr, sizeof(Buffer), PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pages != MAP_FAILED) buffer = new (pages) Buffer(*buffer);
}

void StopWaitingWhen(bool (*is_over)()) { gives_up = is_over; }

bool Print(std::string_view text) {
  KeepInBounds();
  if (text.size() > sizeof(buffer->text) - buffer->end) Flush();
  if (text.size() > sizeof(buffer->text)) {
    WriteAll(text);
  } else {
    std::memcpy(buffer->text + buffer->end, text.data(), text.size());
    buffer->end += text.size();
  }
  static const bool is_terminal = isatty(output_descriptor) != 0;
  if (is_terminal) Flush();
  return buffer->write_error == 0;
}

void SendOthersToStandardError() {
  constexpr int kMin = 3;
  const int copy = fcntl(output_descriptor, F_DUPFD_CLOEXEC, kMin);
  if (copy < 0) return;
  if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    close(copy);
  } else {
    output_descriptor = copy;
  }
}

int OutputDescriptor() { return output_descriptor; }

absl::Status FlushOutput() {
  Flush();
  const int error = buffer->write_error;
  if (error == 0) return absl::OkStatus();
  if (error == EINTR) return absl::CancelledError("interrupted");
  const std::string message =
      Format("standard output: {}; the output is incomplete{}", strerror(error),
             error == ENOSPC || error == EDQUOT
                 ? "; free some space and run the command again"
                 : "");
  switch (error) {
    case EPIPE:
      return absl::UnavailableError(message);
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return absl::ResourceExhaustedError(message);
    default:
      return absl::InternalError(message);
  }
}

void PrintError(const absl::Status& error) {
  PrintLine(absl::StatusCodeToString(error.code()),
            std::string(error.message()));
}

void PrintWarning(std::string_view text) { PrintLine("warning", text); }

}  // namespace fsload
