// Where log messages go: fsload's own and those that plugins write with TF_Log
// and TF_VLog.
#ifndef FSLOAD_LOG_SINK_H_
#define FSLOAD_LOG_SINK_H_

#include <string_view>

#include "fsload/export.h"
#include "fsload/logging.h"

namespace FSLOAD_API fsload {

enum class LogSource { kHost, kPlugin };

// One message, valid only during the call of the sink. Names and plugins' texts
// in it are as they were, with line ends and control characters.
struct LogRecord {
  TF_LogLevel level;
  LogSource source;
  std::string_view message;
};

// Gets every message, from any thread, possibly several at once. `data` is the
// pointer set with the sink. Exceptions are dropped: a failing log must not
// fail a plugin's call.
using LogSink = void (*)(const LogRecord& record, void* data);

struct LogTarget {
  LogSink sink = nullptr;  // null: standard error, "fsload: error: ..."
  void* data = nullptr;    // the caller's, never freed

  bool operator==(const LogTarget& other) const {
    return sink == other.sink && data == other.data;
  }
};

// Sends all further messages to `target` and returns the previous target,
// initially standard error. A message in progress may still go to the previous
// target, so its data must stay valid until the process ends. Each sink takes a
// few bytes that are never freed. Thread-safe.
LogTarget SetLogTarget(LogTarget target);

// Logs a message of fsload's own. Thread-safe.
void Log(TF_LogLevel level, std::string_view message);

}  // namespace fsload

#endif  // FSLOAD_LOG_SINK_H_
