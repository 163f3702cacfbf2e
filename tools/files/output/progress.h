// Tells how far a verb has come, once it has taken more than a second.
#ifndef FSLOAD_TOOLS_FILES_OUTPUT_PROGRESS_H_
#define FSLOAD_TOOLS_FILES_OUTPUT_PROGRESS_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>

#include "tools/files/output/progress_text.h"
#include "tools/files/output/verb_output.h"

namespace fsload {

// From a thread of its own: with --json an event every second; else on standard
// error, on a terminal a line that is drawn again and again, and is gone in the
// end; elsewhere a line every ten seconds. May be used from any thread.
class Progress final {
 public:
  // Begins. `output` outlives this object; where `quiet`, nothing is told.
  Progress(VerbOutput& output, bool quiet, int64_t total_bytes,
           size_t total_files);

  // Ends: with a last line where lines were written.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void AddBytes(int64_t bytes);
  void AddFile();

 private:
  enum class Form { kNone, kTerminal, kLog, kEvents };
  using Clock = std::chrono::steady_clock;

  static Form FormFor(const VerbOutput& output, bool quiet);
  void Run();
  void Tell(const ProgressState& state);

  VerbOutput& output_;
  const Form form_;
  const Clock::time_point start_ = Clock::now();
  bool told_ = false;  // the thread's, until that has ended

  std::mutex mutex_;  // guards the rest
  std::condition_variable ended_;
  bool is_ended_ = false;
  ProgressState state_;

  std::thread thread_;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_OUTPUT_PROGRESS_H_
