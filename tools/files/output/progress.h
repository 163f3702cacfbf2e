// Shows the progress of a verb that takes long.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

#include "fsload/internal/mutex.h"
#include "tools/files/output/progress_text.h"
#include "tools/files/output/verb_output.h"

namespace fsload {

// Runs in its own thread. With --json, an event every second; otherwise on
// standard error: on a terminal, after a second, one line that is redrawn, and
// erased at the end; elsewhere a line every ten seconds. Thread-safe.
class Progress final {
 public:
  // Starts. `output` must outlive this object; if `quiet`, shows nothing.
  Progress(VerbOutput& output, bool quiet, int64_t total_bytes,
           size_t total_files);

  // Stops; prints a last line if any were printed.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void AddBytes(int64_t bytes);

  // Counts `bytes` that a plugin has of a file and sends when it is closed.
  void AddUnsent(int64_t bytes);

  // Notes that such a file is closed, or given up: `bytes` of it were sent, or
  // not.
  void CountSent(int64_t bytes, bool sent);

  void AddFile();

  // Corrects the counts: of the files so far, `directories` were directories,
  // and `files` more are to come.
  void Correct(size_t directories, size_t files);

 private:
  enum class Form { kNone, kTerminal, kLog, kEvents };
  using Clock = std::chrono::steady_clock;

  static Form FormFor(const VerbOutput& output, bool quiet);
  void Run();
  void Report(const ProgressState& state);

  VerbOutput& output_;
  const Form form_;
  const Clock::time_point start_ = Clock::now();
  bool reported_ = false;  // owned by the thread until it ends

  Mutex mutex_;
  CondVar ended_;
  bool is_ended_ ABSL_GUARDED_BY(mutex_) = false;
  ProgressState state_ ABSL_GUARDED_BY(mutex_);

  std::thread thread_;
};

}  // namespace fsload
