#include "loader/report/debug.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "compat/environment.h"
#include "fsload/log_sink.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr const char* kTopics[] = {"loader", "elf", "ops"};

// One bit for each topic named in the variable.
unsigned ReadTopics() {
  const char* const value = EnvironmentVariable("FSLOAD_DEBUG");
  std::string_view words = value == nullptr ? "" : value;
  unsigned topics = 0;
  while (!words.empty()) {
    const size_t comma = std::min(words.find(','), words.size());
    const std::string_view word = words.substr(0, comma);
    words.remove_prefix(std::min(comma + 1, words.size()));
    const auto* const found =
        std::find(std::begin(kTopics), std::end(kTopics), word);
    if (found != std::end(kTopics)) {
      topics |= 1U << (found - std::begin(kTopics));
    } else if (!word.empty()) {
      Log(TF_WARNING,
          Format("FSLOAD_DEBUG: unknown value '{}' is ignored; known: {}", word,
                 absl::StrJoin(kTopics, ", ")));
    }
  }
  return topics;
}

class Logger final : public OpObserver {
 public:
  void OnCall(const OpCall& call) override {
    const double microseconds =
        std::chrono::duration<double, std::micro>(call.duration).count();
    LogDebug(
        DebugTopic::kOps,
        Format(
            "'{}' {}({}){}: {} in {:.1f} us", call.scheme, Name(call.op),
            call.uri, call.bytes < 0 ? "" : Format(" {} bytes", call.bytes),
            absl::StatusCodeToString(static_cast<absl::StatusCode>(call.code)),
            microseconds));
  }
};

}  // namespace

bool IsDebugged(DebugTopic topic) {
  static const unsigned topics = ReadTopics();
  return (topics >> static_cast<unsigned>(topic) & 1U) != 0;
}

void LogDebug(DebugTopic topic, std::string_view message) {
  Log(TF_INFO, Format("{}: {}", kTopics[static_cast<size_t>(topic)], message));
}

OpObserver& OpLogger() {
  static auto* const logger = new Logger;
  return *logger;
}

}  // namespace fsload
