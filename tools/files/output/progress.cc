#include "tools/files/output/progress.h"

#include <unistd.h>

#include <system_error>

#include "fsload/internal/mutex.h"
#include "tools/text/text_style.h"

namespace fsload {
namespace {

struct Times {
  std::chrono::milliseconds until_first;
  std::chrono::milliseconds interval;
};

using std::chrono_literals::operator""ms;

// In the order of Form. What ends soon leaves no line in a log.
constexpr Times kTimes[] = {
    {0ms, 0ms}, {1000ms, 200ms}, {10'000ms, 10'000ms}, {1000ms, 1000ms}};

double Seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

Progress::Form Progress::FormFor(const VerbOutput& output, bool quiet) {
  if (quiet) return Form::kNone;
  if (output.json()) return Form::kEvents;
  return isatty(STDERR_FILENO) != 0 ? Form::kTerminal : Form::kLog;
}

Progress::Progress(VerbOutput& output, bool quiet, int64_t total_bytes,
                   size_t total_files)
    : output_(output), form_(FormFor(output, quiet)) {
  {
    const MutexLock lock(mutex_);
    state_.total_bytes = total_bytes;
    state_.total_files = total_files;
  }
  if (form_ == Form::kNone) return;
  try {
    thread_ = std::thread(&Progress::Run, this);
  } catch (const std::system_error&) {
    // Failing to show progress must not stop the work.
  }
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const MutexLock lock(mutex_);
    is_ended_ = true;
  }
  ended_.NotifyAll();
  thread_.join();
  if (!reported_) return;
  if (form_ == Form::kTerminal) {
    output_.ShowLine("");
  } else {
    const MutexLock lock(mutex_);
    state_.seconds = Seconds(Clock::now() - start_);
    Report(state_);
  }
}

void Progress::AddBytes(int64_t bytes) {
  const MutexLock lock(mutex_);
  state_.bytes = AddUpToMax(state_.bytes, bytes);
}

void Progress::AddUnsent(int64_t bytes) {
  const MutexLock lock(mutex_);
  state_.unsent = AddUpToMax(state_.unsent, bytes);
}

void Progress::CountSent(int64_t bytes, bool sent) {
  const MutexLock lock(mutex_);
  state_.unsent -= bytes;
  if (sent) state_.bytes = AddUpToMax(state_.bytes, bytes);
}

void Progress::AddFile() {
  const MutexLock lock(mutex_);
  ++state_.files;
}

void Progress::Correct(size_t directories, size_t files) {
  const MutexLock lock(mutex_);
  state_.files -= directories;
  state_.total_files += files - directories;
}

void Progress::Run() {
  const Times& times = kTimes[static_cast<size_t>(form_)];
  Clock::time_point next = start_ + times.until_first;
  for (;;) {
    ProgressState state;
    {
      const MutexLock lock(mutex_);
      while (!is_ended_ && ended_.WaitUntil(mutex_, next)) {
      }
      if (is_ended_) return;
      state_.seconds = Seconds(Clock::now() - start_);
      state = state_;
    }
    Report(state);
    reported_ = true;
    next += times.interval;
  }
}

void Progress::Report(const ProgressState& state) {
  if (form_ == Form::kTerminal) {
    output_.ShowLine(ProgressBar(state, TerminalColumns(STDERR_FILENO)));
    return;
  }
  JsonFields fields = {
      {"bytes", state.bytes},
      {"unsent", state.unsent},
      {"files", state.files},
      {"milliseconds", static_cast<int64_t>(state.seconds * 1000)}};
  if (state.total_bytes >= 0) {
    fields.emplace_back("total_bytes", state.total_bytes);
    fields.emplace_back("total_files", state.total_files);
  }
  output_.Note(ProgressSentence(state) + "\n", "progress", fields);
}

}  // namespace fsload
