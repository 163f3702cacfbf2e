#include "tools/session/call_counts.h"

#include <algorithm>
#include <string>
#include <vector>

#include "fsload/internal/mutex.h"

namespace fsload {

const CallCounts::SchemeCounter* CallCounts::Find(
    std::string_view scheme) const {
  const size_t used = used_;
  const auto* const end = schemes_.begin() + used;
  const auto* const found =
      std::find_if(schemes_.begin(), end, [scheme](const SchemeCounter& each) {
        return each.name.data() == scheme;
      });
  return found == end ? nullptr : found;
}

CallCounts::SchemeCounter* CallCounts::FindOrAdd(std::string_view scheme) {
  const auto find = [&] { return const_cast<SchemeCounter*>(Find(scheme)); };
  if (SchemeCounter* const found = find()) return found;
  const MutexLock lock(mutex_);
  if (SchemeCounter* const found = find()) return found;
  const size_t used = used_;
  if (used == kMaxSchemes) return nullptr;
  SchemeCounter& added = schemes_[used];
  scheme.copy(added.name.data(), added.name.size() - 1);
  used_ = used + 1;
  return &added;
}

void CallCounts::OnCall(const OpCall& call) {
  SchemeCounter* const scheme = FindOrAdd(call.scheme);
  if (scheme == nullptr) return;
  Counter& counter = scheme->operations[static_cast<size_t>(call.op)];
  ++counter.calls;
  if (call.code != TF_OK && call.code != TF_OUT_OF_RANGE) ++counter.failed;
  if (call.bytes > 0) counter.bytes += call.bytes;
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
  const SchemeCounter* const found = Find(scheme);
  if (found == nullptr) return {};
  const Counter& counter = found->operations[static_cast<size_t>(op)];
  return {counter.calls, counter.failed, counter.bytes};
}

}  // namespace fsload
