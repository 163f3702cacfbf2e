// Counts the bytes of one file that is written, for Progress.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/file_system/plugin_file_system.h"
#include "fsload/file_system.h"
#include "tools/files/output/progress.h"

namespace fsload {

// A known store's plugin keeps what is appended in a file of this machine, and
// sends it when the file is closed: until then it counts as not sent.
// Thread-safe.
class FileProgress final {
 public:
  // Uses `progress`, which must outlive this object; `target` is where the file
  // is.
  FileProgress(Progress& progress, const FileSystem& target)
      : progress_(progress),
        sends_at_close_(TablesOf(target).traits.replaces_atomically) {}
  ~FileProgress() {
    if (sends_at_close_) progress_.CountSent(added_, sent_);
  }
  FileProgress(const FileProgress&) = delete;
  FileProgress& operator=(const FileProgress&) = delete;

  // Counts `bytes` more that were appended.
  void Add(int64_t bytes) {
    added_ += bytes;
    if (!sends_at_close_) return progress_.AddBytes(bytes);
    progress_.AddUnsent(bytes);
  }

  // Notes that nothing came of what was appended.
  void TakeBack() {
    if (!sends_at_close_) progress_.AddBytes(-added_.exchange(0));
  }

  // Notes that the file is closed, without an error.
  void SetSent() { sent_ = true; }

 private:
  Progress& progress_;
  const bool sends_at_close_;
  // The default order; relaxed would do: nothing else is read after them.
  std::atomic<int64_t> added_{0};
  std::atomic<bool> sent_{false};
};

}  // namespace fsload
