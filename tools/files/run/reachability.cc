#include "tools/files/run/reachability.h"

#include <fmt/format.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "absl/time/clock.h"
#include "fsload/call_pool.h"
#include "loader/known_plugins/endpoint.h"

namespace fsload {
namespace {

// 0, or why `address` cannot be connected to before `deadline`: an errno value.
int Connect(const addrinfo& address, absl::Time deadline) {
  const int fd = socket(address.ai_family,
                        address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                        address.ai_protocol);
  if (fd < 0) return errno;
  int error = 0;
  if (connect(fd, address.ai_addr, address.ai_addrlen) != 0) error = errno;
  if (error == EINPROGRESS) {
    pollfd waiting = {fd, POLLOUT, 0};
    // Less than 0 would be forever.
    const absl::Duration left =
        std::max(deadline - absl::Now(), absl::ZeroDuration());
    const int ready =
        poll(&waiting, 1, static_cast<int>(absl::ToInt64Milliseconds(left)));
    socklen_t size = sizeof(error);
    if (ready <= 0 ||
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
      error = ETIMEDOUT;
    }
  }
  close(fd);
  return error;
}

struct FreeAddresses {
  void operator()(addrinfo* addresses) const { freeaddrinfo(addresses); }
};

// OK, or why no address of the host can be connected to.
absl::Status ConnectTo(const Endpoint& endpoint, absl::Time deadline) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error =
      getaddrinfo(endpoint.host.c_str(), endpoint.port.c_str(), &hints, &found);
  if (error != 0) return absl::UnavailableError(gai_strerror(error));
  const std::unique_ptr<addrinfo, FreeAddresses> addresses(found);
  int why = EADDRNOTAVAIL;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    why = Connect(*each, deadline);
    if (why == 0) return absl::OkStatus();
  }
  return absl::UnavailableError(strerror(why));
}

// What follows the URI in the error; none if the server can be reached.
std::optional<std::string> WhyUnreachable(const Endpoint& endpoint,
                                          absl::Duration timeout) {
  // A name may take longer to resolve than anybody waits.
  CallPool pool(1);
  const absl::Status status = pool.Call(
      [endpoint, deadline = absl::Now() + timeout] {
        return ConnectTo(endpoint, deadline);
      },
      {timeout});
  if (status.ok()) return std::nullopt;
  return fmt::format(
      "cannot reach {} ({}); check {}{}that the server is running",
      endpoint.shown,
      absl::IsDeadlineExceeded(status) ? "no answer"
                                       : std::string(status.message()),
      endpoint.variable, endpoint.variable.empty() ? "" : ", and ");
}

absl::Status Unreachable(std::string_view uri, std::string_view why) {
  return absl::UnavailableError(fmt::format("{}: {}", uri, why));
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
  const std::lock_guard<std::mutex> lock(mutex_);
  Answer& answer = answers_[endpoint->shown];
  if (absl::Now() >= answer.until) {
    answer.why = WhyUnreachable(*endpoint, kTimeout);
    answer.until = absl::Now() + kSameAnswer;
  }
  return answer.why.has_value() ? Unreachable(uri, *answer.why) : status;
}

absl::Status ReachabilityWatch::Ask(const RunningOp& oldest) {
  constexpr absl::Duration kLong = absl::Seconds(3);
  constexpr absl::Duration kBetween = absl::Seconds(1);
  constexpr absl::Duration kTimeout = absl::Seconds(2);
  constexpr int kFailures = 2;
  const absl::Time now = absl::Now();
  if (oldest.running < kLong) {
    failures_ = 0;
    return absl::OkStatus();
  }
  if (now < next_) return absl::OkStatus();
  const absl::Status reachable = CheckReachable(oldest.uri, kTimeout);
  failures_ = reachable.ok() ? 0 : failures_ + 1;
  // What is there now is asked more rarely.
  next_ = absl::Now() + (reachable.ok() ? kLong : kBetween);
  return failures_ < kFailures ? absl::OkStatus() : reachable;
}

}  // namespace fsload
