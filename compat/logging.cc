#include "fsload/logging.h"

#if defined(TENSORFLOW_C_LOGGING_H_) && !defined(FSLOAD_TENSORFLOW_C_LOGGING_H_)
#error "fsload itself is compiled without TensorFlow's headers in its way"
#endif

#include <cxxabi.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <string>
#include <string_view>

#include "compat/log_format.h"
#include "fsload/log_sink.h"

namespace fsload {
namespace {

const char* LevelName(TF_LogLevel level) {
  switch (level) {
    case TF_INFO:
      return "info";
    case TF_WARNING:
      return "warning";
    case TF_ERROR:
      return "error";
    default:
      return "fatal";
  }
}

// One write per line, so that lines from several threads do not mix.
void WriteToStandardError(const LogRecord& record, void* /*data*/) {
  std::string line = std::string("fsload: ") + LevelName(record.level) + ": ";
  line += record.message;
  line += '\n';
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t written = write(STDERR_FILENO, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    left.remove_prefix(written);
  }
}

constexpr LogTarget kStandardError = {&WriteToStandardError, nullptr};
// Sequentially consistent, as the list below: who loads the pointer finds the
// target as it was made.
std::atomic<const LogTarget*> g_target{&kStandardError};

void Send(TF_LogLevel level, LogSource source, std::string_view message) {
  try {
    const LogTarget& target = *g_target.load();
    target.sink({level, source, message}, target.data);
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
  }
}

}  // namespace

LogTarget SetLogTarget(LogTarget target) {
  // All that were ever set, since another thread may be using one.
  struct Set {
    LogTarget target;
    Set* before;
  };
  static std::atomic<Set*> last{nullptr};
  const LogTarget* next = &kStandardError;
  if (target.sink != nullptr) {
    auto* const set = new Set{target, last.load()};
    while (!last.compare_exchange_weak(set->before, set)) {
    }
    next = &set->target;
  }
  const LogTarget* const before = g_target.exchange(next);
  return before == &kStandardError ? LogTarget() : *before;
}

void Log(TF_LogLevel level, std::string_view message) {
  Send(level, LogSource::kHost, message);
}

}  // namespace fsload

void TF_Log(TF_LogLevel level, const char* fmt, ...) {
  va_list arguments;
  va_start(arguments, fmt);
  const std::string message = fsload::FormatLog(fmt, arguments);
  va_end(arguments);
  fsload::Send(level, fsload::LogSource::kPlugin, message);
}

void TF_VLog(int level, const char* fmt, ...) {
  if (level > 0) return;
  va_list arguments;
  va_start(arguments, fmt);
  const std::string message = fsload::FormatLog(fmt, arguments);
  va_end(arguments);
  fsload::Send(TF_INFO, fsload::LogSource::kPlugin, message);
}
