// What a worker prints: lines of the program's log.
#pragma once

#include <string>
#include <string_view>

#include "fsload/logging.h"

namespace fsload {

// Returns what a worker prints of a log record: lines that say its level.
std::string OutputOf(TF_LogLevel level, std::string_view message);

// Logs what a worker prints, line by line, with the plugin's name. What there
// is no memory for is lost. One thread.
class WorkerOutput final {
 public:
  explicit WorkerOutput(std::string plugin);

  // Logs the lines that `bytes` complete. One of more than 4 KiB becomes
  // several records of its level.
  void Add(std::string_view bytes);

  // Logs the line that was begun.
  void End();

 private:
  void LogLines(std::string_view bytes);
  void LogBegun(bool is_end);

  const std::string plugin_;
  std::string begun_;            // of a line
  bool continues_ = false;       // what came before it was logged
  TF_LogLevel level_ = TF_INFO;  // of the line
};

}  // namespace fsload
