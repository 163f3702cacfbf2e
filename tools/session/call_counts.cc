#include "tools/session/call_counts.h"

#include <string>
#include <vector>

#include "fsload/internal/mutex.h"

namespace fsload {

void CallCounts::OnCall(const OpCall& call) {
  const MutexLock lock(mutex_);
  Count& count =
      counts_[std::string(call.scheme)][static_cast<size_t>(call.op)];
  ++count.calls;
  if (call.code != TF_OK && call.code != TF_OUT_OF_RANGE) ++count.failed;
  if (call.bytes > 0) count.bytes += call.bytes;
}

void CallCounts::OnRetry(std::string_view scheme, Op op, TF_Code code,
                         std::string_view message) {
  const MutexLock lock(mutex_);
  Retried& retried =
      retried_[std::string(scheme)]
          .try_emplace({op, code}, Retried{op, code, 0, std::string()})
          .first->second;
  ++retried.times;
  retried.message = std::string(message);
}

std::vector<CallCounts::Retried> CallCounts::RetriedOf(
    std::string_view scheme) const {
  const MutexLock lock(mutex_);
  std::vector<Retried> all;
  const auto found = retried_.find(scheme);
  if (found == retried_.end()) return all;
  for (const auto& [key, retried] : found->second) all.push_back(retried);
  return all;
}

CallCounts::Count CallCounts::Of(std::string_view scheme, Op op) const {
  const MutexLock lock(mutex_);
  const auto found = counts_.find(scheme);
  if (found == counts_.end()) return {};
  return found->second[static_cast<size_t>(op)];
}

}  // namespace fsload
