#include "compat/logging.h"

#include <unistd.h>

#include <cstdarg>
#include <string>

#include "compat/log_format.h"

namespace {

const char* LevelName(int level) {
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

// One write for one line, so that lines of several threads do not mix.
void WriteLine(const char* level, const std::string& message) {
  const std::string line =
      std::string("fsload: ") + level + ": " + message + "\n";
  size_t done = 0;
  while (done < line.size()) {
    const ssize_t written =
        write(STDERR_FILENO, line.data() + done, line.size() - done);
    if (written <= 0) return;
    done += written;
  }
}

}  // namespace

void TF_Log(TF_LogLevel level, const char* fmt, ...) {
  va_list arguments;
  va_start(arguments, fmt);
  WriteLine(LevelName(level), fsload::FormatLog(fmt, arguments));
  va_end(arguments);
}

void TF_VLog(int level, const char* fmt, ...) {
  if (level > 0) return;
  va_list arguments;
  va_start(arguments, fmt);
  WriteLine("info", fsload::FormatLog(fmt, arguments));
  va_end(arguments);
}
