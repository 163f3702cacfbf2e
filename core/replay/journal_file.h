// The file that a journal is written to.
#pragma once

#include <cxxabi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/replay/journal_line.h"
#include "core/system/descriptor.h"
#include "core/system/fork_generation.h"
#include "fsload/internal/mutex.h"

namespace fsload {

// Thread-safe.
class JournalFile final {
 public:
  // Creates `path`, for its owner alone, and writes the header. Fails as
  // Recorder::Create does.
  static absl::StatusOr<std::unique_ptr<JournalFile>> Create(
      const std::string& path, uint64_t max_bytes);

  // Returns false in a child that was forked since: nothing is written there,
  // where a thread that is not there may hold the mutex.
  bool IsOwn() const { return fork_generation_ == ForkGeneration(); }

  // Appends the line that `make` returns, unless writing has stopped. Throws
  // only to end the thread.
  template <typename Make>
  void Add(const Make& make) {
    if (!IsOwn()) return;
    try {
      AddLine(make());
    } catch (const abi::__forced_unwind&) {
      throw;
    } catch (const std::exception&) {
      RunOutOfMemory();
    }
  }

  // Stops writing before a call of `bytes` bytes, which no line can hold.
  void StopBefore(size_t bytes);

  // Returns a number that no other file system of this journal has.
  uint64_t NewNumber() { return numbers_++; }

  absl::Status status() const;

 private:
  JournalFile(Descriptor descriptor, std::string path, uint64_t max_bytes)
      : descriptor_(std::move(descriptor)),
        path_(std::move(path)),
        limit_(max_bytes) {}

  void AddLine(const JournalLine& line);
  void RunOutOfMemory();

  void Stop(const absl::Status& why) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool Write(const std::string& text) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Descriptor descriptor_;
  const std::string path_;
  const uint64_t limit_;
  const uint64_t fork_generation_ = ForkGeneration();
  std::atomic<uint64_t> numbers_{0};  // given out
  mutable Mutex mutex_;
  uint64_t written_ ABSL_GUARDED_BY(mutex_) = 0;  // bytes
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);  // why
};

}  // namespace fsload
