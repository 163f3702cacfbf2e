// Where log lines go: fsload's own, and what plugins say by TF_Log and TF_VLog.
#ifndef FSLOAD_LOG_SINK_H_
#define FSLOAD_LOG_SINK_H_

#include <string_view>

#include "fsload/logging.h"

namespace fsload {

enum class LogSource { kHost, kPlugin };

// One line, without its end. Valid as long as the sink runs.
struct LogRecord {
  TF_LogLevel level;
  LogSource source;
  std::string_view message;
};

// Gets every line, from any thread, several at once. `data` is what was set
// with it. What it throws is dropped: a log that fails is no reason for a
// plugin's call to.
using LogSink = void (*)(const LogRecord& record, void* data);

struct LogTarget {
  LogSink sink = nullptr;  // null is standard error: "fsload: error: ..."
  void* data = nullptr;    // of the caller, never freed

  bool operator==(const LogTarget& other) const {
    return sink == other.sink && data == other.data;
  }
};

// Makes `target` the one that gets all lines from here on, and yields the one
// before: standard error at first. A line that is under way may still go to the
// one before, so its data stays. A few bytes for each call are never freed.
// Thread-safe.
LogTarget SetLogTarget(LogTarget target);

// Logs a line of fsload's own. Thread-safe.
void Log(TF_LogLevel level, std::string_view message);

}  // namespace fsload

#endif  // FSLOAD_LOG_SINK_H_
