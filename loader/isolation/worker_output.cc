#include "loader/isolation/worker_output.h"

#include <algorithm>
#include <new>
#include <utility>

#include "absl/strings/str_replace.h"
#include "fsload/log_sink.h"
#include "loader/report/visible_text.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Begins a line of a log record; its level, a digit, follows.
constexpr char kLevelMark = '\x1f';

constexpr size_t kMaxPartBytes = 4096;

}  // namespace

std::string OutputOf(TF_LogLevel level, std::string_view message) {
  const std::string mark = Format("{}{}", kLevelMark, static_cast<int>(level));
  return mark +
         absl::StrReplaceAll(std::string(message), {{"\n", "\n" + mark}}) +
         "\n";
}

WorkerOutput::WorkerOutput(std::string plugin) : plugin_(std::move(plugin)) {}

void WorkerOutput::Add(std::string_view bytes) {
  try {
    LogLines(bytes);
  } catch (const std::bad_alloc&) {
  }
}

void WorkerOutput::LogLines(std::string_view bytes) {
  for (;;) {
    const size_t some = std::min(
        {bytes.find('\n'), bytes.size(), kMaxPartBytes - begun_.size()});
    begun_.append(bytes.substr(0, some));
    bytes.remove_prefix(some);
    if (bytes.empty()) return;
    const bool is_end = bytes.front() == '\n';
    if (is_end) bytes.remove_prefix(1);
    LogBegun(is_end);
  }
}

void WorkerOutput::LogBegun(bool is_end) {
  std::string line = std::exchange(begun_, std::string());
  if (!std::exchange(continues_, !is_end)) {
    level_ = TF_INFO;
    if (line.size() > 1 && line[0] == kLevelMark && line[1] >= '0' &&
        line[1] <= '3') {
      level_ = static_cast<TF_LogLevel>(line[1] - '0');
      line.erase(0, 2);
    }
  }
  Log(level_, Format("{}: {}", plugin_, Visible(line)));
}

void WorkerOutput::End() {
  try {
    if (!begun_.empty()) LogBegun(true);
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace fsload
