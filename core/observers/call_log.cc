#include "fsload/call_log.h"

#include "absl/strings/escaping.h"
#include "core/tables/code_name.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// In printable ASCII, without unescaped quotes.
std::string Escaped(std::string_view text) {
  return absl::CHexEscape({text.data(), text.size()});
}

}  // namespace

std::string CallLine(const OpCall& call) {
  const double microseconds =
      std::chrono::duration<double, std::micro>(call.duration).count();
  return Format("op={} scheme=\"{}\" uri=\"{}\" code={} us={:.1f}{}",
                FullName(call.op), Escaped(call.scheme), Escaped(call.uri),
                CodeName(call.code), microseconds,
                call.bytes < 0 ? "" : Format(" bytes={}", call.bytes));
}

void CallLog::OnCall(const OpCall& call) {
  if (call.duration >= at_least_) sink_(CallLine(call));
}

}  // namespace fsload
