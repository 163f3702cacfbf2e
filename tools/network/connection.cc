#include "tools/network/connection.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/time/clock.h"
#include "fsload/call_pool.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Waits until `fd` can be written to: what poll answers.
int AwaitWritable(int fd, absl::Time deadline) {
  pollfd waiting = {fd, POLLOUT, 0};
  int ready;
  do {
    // Less than 0 would be forever.
    const absl::Duration left =
        std::max(deadline - absl::Now(), absl::ZeroDuration());
    ready =
        poll(&waiting, 1, static_cast<int>(absl::ToInt64Milliseconds(left)));
  } while (ready < 0 && errno == EINTR);
  return ready;
}

// 0, or why `address` cannot be connected to before `deadline`: an errno value.
int Connect(const addrinfo& address, absl::Time deadline) {
  const int fd = socket(address.ai_family,
                        address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                        address.ai_protocol);
  if (fd < 0) return errno;
  int error = 0;
  if (connect(fd, address.ai_addr, address.ai_addrlen) != 0) error = errno;
  if (error == EINPROGRESS) {
    socklen_t size = sizeof(error);
    if (AwaitWritable(fd, deadline) <= 0 ||
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
  int left = 0;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    ++left;
  }
  int why = EADDRNOTAVAIL;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    // Some drop what is sent to them: the next one has time, too.
    const absl::Time now = absl::Now();
    why = Connect(*each, now + (deadline - now) / left--);
    if (why == 0) return absl::OkStatus();
  }
  return absl::UnavailableError(strerror(why));
}

}  // namespace

absl::Status TryToConnect(const Endpoint& endpoint, absl::Duration timeout) {
  // A name may take longer to resolve than anybody waits.
  CallPool pool(1);
  const absl::Status status = pool.Call(
      [endpoint, deadline = absl::Now() + timeout] {
        return ConnectTo(endpoint, deadline);
      },
      {timeout});
  if (status.ok()) return status;
  return absl::UnavailableError(Format("cannot reach {} ({})", endpoint.shown,
                                       absl::IsDeadlineExceeded(status)
                                           ? "no answer"
                                           : std::string(status.message())));
}

std::string RepairOf(const Endpoint& endpoint) {
  return Format("check {}{}that the server is running", endpoint.variable,
                endpoint.variable.empty() ? "" : ", and ");
}

}  // namespace fsload
