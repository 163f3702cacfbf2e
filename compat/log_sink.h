// Where log lines go: fsload's own, and what plugins say by TF_Log and TF_VLog.
#ifndef FSLOAD_COMPAT_LOG_SINK_H_
#define FSLOAD_COMPAT_LOG_SINK_H_

#include <string_view>

#include "compat/logging.h"

namespace fsload {

enum class LogSource { kHost, kPlugin };

// One line, without its end. Valid as long as the sink runs.
struct LogRecord {
  TF_LogLevel level;
  LogSource source;
  std::string_view message;
};

// Gets every line, from any thread, several at once. What it throws is dropped:
// a log that fails is no reason for a plugin's call to.
using LogSink = void (*)(const LogRecord& record);

// Makes `sink` the one that gets all lines from here on, and yields the one
// before; null is standard error, the sink at first: "fsload: error: ...". A
// line that is under way may still go to the one before. Thread-safe.
LogSink SetLogSink(LogSink sink);

// Logs a line of fsload's own. Thread-safe.
void Log(TF_LogLevel level, std::string_view message);

}  // namespace fsload

#endif  // FSLOAD_COMPAT_LOG_SINK_H_
