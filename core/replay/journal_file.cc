#include "core/replay/journal_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>

#include "fsload/internal/mutex.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// What the line that says why a journal ends may take.
constexpr uint64_t kRoomToStop = 1024;

absl::Status TooLong(size_t bytes) {
  return ResourceExhaustedError(
      "a call takes {} bytes, more than the {} of a line", bytes,
      kMaxLineBytes);
}

}  // namespace

absl::StatusOr<std::unique_ptr<JournalFile>> JournalFile::Create(
    const std::string& path, uint64_t max_bytes) {
  Descriptor descriptor(open(path.c_str(),
                             O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC,
                             S_IRUSR | S_IWUSR));
  if (!descriptor.ok() && errno == EEXIST) {
    return AlreadyExistsError(
        "{}: exists; a journal never replaces a file, so name a new one", path);
  }
  if (!descriptor.ok()) return ErrnoError(errno, "{}: the journal", path);
  std::unique_ptr<JournalFile> file(
      new JournalFile(std::move(descriptor), path, max_bytes));
  file->Add([] { return JournalHeader(); });
  const absl::Status status = file->status();
  if (status.ok()) return file;
  unlink(path.c_str());  // so that the same name can be used again
  return status;
}

void JournalFile::AddLine(const JournalLine& line) {
  const std::string text = ToText(line) + "\n";
  const MutexLock lock(mutex_);
  if (stopped_) return;
  if (text.size() > kMaxLineBytes) {
    Stop(TooLong(text.size()));
  } else if (written_ + text.size() + kRoomToStop > limit_) {
    Stop(ResourceExhaustedError("the journal has reached its limit of {} bytes",
                                limit_));
  } else if (!Write(text)) {
    Stop(ErrnoError(errno, "it cannot be written"));
  }
}

void JournalFile::StopBefore(size_t bytes) {
  if (!IsOwn()) return;
  const MutexLock lock(mutex_);
  if (!stopped_) Stop(TooLong(bytes));
}

void JournalFile::RunOutOfMemory() {
  const MutexLock lock(mutex_);
  if (stopped_) return;
  stopped_ = true;  // even if there is no memory to say why
  try {
    Stop(ResourceExhaustedError("not enough memory to record a call"));
  } catch (const std::bad_alloc&) {
    return;
  }
}

void JournalFile::Stop(const absl::Status& why) {
  stopped_ = true;
  const std::string text(why.message());
  status_ = absl::Status(
      why.code(),
      Format("{}: recording stopped, and later calls are missing: {}", path_,
             text));
  // If this fails too, the journal ends without it.
  static_cast<void>(Write(ToText(JournalStop{text}) + "\n"));
}

// Either all of `text` or, on a full disk, none of it: the next line is one.
bool JournalFile::Write(const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote =
        write(descriptor_.get(), text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      const int error = wrote == 0 ? ENOSPC : errno;
      const bool cut =
          ftruncate(descriptor_.get(), static_cast<off_t>(written_)) == 0;
      errno = cut ? error : errno;
      return false;
    }
    done += static_cast<size_t>(wrote);
  }
  written_ += text.size();
  return true;
}

absl::Status JournalFile::status() const {
  if (!IsOwn()) {
    return FailedPreconditionError(
        "{}: calls of a forked child are not recorded", path_);
  }
  const MutexLock lock(mutex_);
  return status_;
}

}  // namespace fsload
