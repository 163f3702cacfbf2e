#include "loader/report/debug.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "compat/environment.h"
#include "fsload/log_sink.h"
#include "loader/report/visible_text.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr const char* kTopics[] = {"loader", "elf", "ops"};

// One bit for each topic named in the variable.
unsigned ReadTopics() {
  const char* const value = EnvironmentVariable("FSLOAD_DEBUG");
  const std::vector<std::string> words =
      absl::StrSplit(value == nullptr ? "" : value, ',', absl::SkipEmpty());
  unsigned topics = 0;
  for (const std::string& word : words) {
    const auto* const found =
        std::find(std::begin(kTopics), std::end(kTopics), word);
    if (found != std::end(kTopics)) {
      topics |= 1U << (found - std::begin(kTopics));
    } else {
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
  Log(TF_INFO,
      Format("{}: {}", kTopics[static_cast<size_t>(topic)], Visible(message)));
}

OpObserver& OpLogger() {
  static auto* const logger = new Logger;
  return *logger;
}

}  // namespace fsload
