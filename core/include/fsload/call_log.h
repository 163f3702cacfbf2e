// Describes each call of plugins' operations in one line.
#ifndef FSLOAD_CALL_LOG_H_
#define FSLOAD_CALL_LOG_H_

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "fsload/export.h"
#include "fsload/op_observer.h"

namespace FSLOAD_API fsload {

// Returns the line for `call`, without a newline:
//   op=RandomAccessFile.read scheme="s3" uri="s3://b/k" code=OK us=812.4
//   bytes=65536
// `bytes` is left out where OpCall::bytes is -1. Whatever a URI contains, the
// line is printable ASCII: in values, quotes, backslashes and all other bytes
// are escaped as in C ("\"", "\\", "\n", "\x1b").
std::string CallLine(const OpCall& call);

// Set it in LoadOptions::observer. Thread-safe if its sink is.
class CallLog final : public OpObserver {
 public:
  // Called with each line, by the threads that call operations, and so by many
  // at once. The line is valid only during the call.
  using Sink = std::function<void(std::string_view line)>;

  // Logs the calls that took `at_least` or longer, by default all of them.
  explicit CallLog(Sink sink, std::chrono::nanoseconds at_least = {})
      : sink_(std::move(sink)), at_least_(at_least) {}

  void OnCall(const OpCall& call) override;

 private:
  const Sink sink_;
  const std::chrono::nanoseconds at_least_;
};

}  // namespace fsload

#endif  // FSLOAD_CALL_LOG_H_
