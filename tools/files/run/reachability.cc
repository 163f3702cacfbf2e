#include "tools/files/run/reachability.h"

#include <optional>
#include <string>

#include "core/threads/steady_now.h"
#include "fsload/internal/mutex.h"
#include "loader/known_plugins/endpoint.h"
#include "third_party/fmt/format.h"
#include "tools/network/connection.h"

namespace fsload {
namespace {

// What follows the URI in the error; none if the server can be reached.
std::optional<std::string> WhyUnreachable(const Endpoint& endpoint,
                                          absl::Duration timeout) {
  const absl::Status status = TryToConnect(endpoint, timeout);
  if (status.ok()) return std::nullopt;
  return std::string(status.message()) + "; " + RepairOf(endpoint);
}

absl::Status Unreachable(std::string_view uri, std::string_view why) {
  return UnavailableError("{}: {}", uri, why);
}

// What a plugin may report for a server that does not answer.
bool MayMeanNoAnswer(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kInternal:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
      return true;
    default:
      return false;
  }
}

}  // namespace

absl::Status CheckReachable(std::string_view uri, absl::Duration timeout) {
  const std::optional<Endpoint> endpoint = EndpointOf(uri);
  if (!endpoint.has_value()) return absl::OkStatus();
  const std::optional<std::string> why = WhyUnreachable(*endpoint, timeout);
  return why.has_value() ? Unreachable(uri, *why) : absl::OkStatus();
}

absl::Status ServerErrors::Explain(std::string_view uri,
                                   const absl::Status& status) {
  constexpr absl::Duration kTimeout = absl::Seconds(3);
  constexpr absl::Duration kSameAnswer = absl::Seconds(1);
  if (!MayMeanNoAnswer(status)) return status;
  const std::optional<Endpoint> endpoint = EndpointOf(uri);
  if (!endpoint.has_value()) return status;
  const MutexLock lock(mutex_);
  Answer& answer = answers_[endpoint->shown];
  if (SteadyNow() >= answer.until) {
    answer.why = WhyUnreachable(*endpoint, kTimeout);
    answer.until = SteadyNow() + kSameAnswer;
  }
  return answer.why.has_value() ? Unreachable(uri, *answer.why) : status;
}

absl::Status ReachabilityWatch::Ask(const RunningOp& oldest) {
  constexpr absl::Duration kLong = absl::Seconds(3);
  constexpr absl::Duration kBetween = absl::Seconds(1);
  constexpr absl::Duration kTimeout = absl::Seconds(2);
  constexpr int kFailures = 2;
  const absl::Time now = SteadyNow();
  if (oldest.running < kLong) {
    failures_ = 0;
    return absl::OkStatus();
  }
  if (now < next_) return absl::OkStatus();
  const absl::Status reachable = CheckReachable(oldest.uri, kTimeout);
  failures_ = reachable.ok() ? 0 : failures_ + 1;
  // What is there now is asked more rarely.
  next_ = SteadyNow() + (reachable.ok() ? kLong : kBetween);
  return failures_ < kFailures ? absl::OkStatus() : reachable;
}

}  // namespace fsload
