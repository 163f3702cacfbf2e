#include "tools/network/connection.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "core/threads/poll_until.h"
#include "core/threads/steady_now.h"
#include "fsload/call_pool.h"
#include "third_party/fmt/format.h"
#include "tools/network/foreign_variables.h"

namespace fsload {
namespace {

// Whether the server at the other end of `fd` answers a greeting of TLS in
// plain text, as one that expects HTTP does. It is asked for a second at most.
bool AnswersInPlainText(int fd) {
  // A ClientHello of TLS 1.2 with one cipher, and an end of line, which ends a
  // request for those who take it for one.
  static constexpr unsigned char kHello[] = {
      22,   3,    1,    0,    45,      // handshake, length
      1,    0,    0,    41,   3,   3,  // ClientHello
      'f',  's',  'l',  'o',  'a', 'd', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0,    0,    0,    0,    0,   0,   0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0,                       // no session
      0,    2,    0xc0, 0x2f,  // cipher
      1,    0,                 // no compression
      '\r', '\n', '\r', '\n'};
  const absl::Time deadline = SteadyNow() + absl::Seconds(1);
  pollfd answered = {fd, POLLIN, 0};
  if (send(fd, kHello, sizeof(kHello), MSG_NOSIGNAL) < 0 ||
      PollUntil({&answered, 1}, deadline) <= 0) {
    return false;
  }
  // TLS answers with a record: of its handshake, or an alert.
  char first;
  return recv(fd, &first, 1, 0) == 1 && first != 22 && first != 21;
}

// 0, or why `address` cannot be connected to before `deadline`: an errno value;
// EPROTO if TLS is expected of a server that does not speak it.
int Connect(const addrinfo& address, bool tls, absl::Time deadline) {
  const int fd = socket(address.ai_family,
                        address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                        address.ai_protocol);
  if (fd < 0) return errno;
  int error = 0;
  if (connect(fd, address.ai_addr, address.ai_addrlen) != 0) error = errno;
  if (error == EINPROGRESS) {
    pollfd connected = {fd, POLLOUT, 0};
    socklen_t size = sizeof(error);
    if (PollUntil({&connected, 1}, deadline) <= 0 ||
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
      error = ETIMEDOUT;
    }
  }
  if (error == 0 && tls && AnswersInPlainText(fd)) error = EPROTO;
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
  const bool tls = endpoint.shown.rfind("https://", 0) == 0;
  int why = EADDRNOTAVAIL;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    // Some drop what is sent to them: the next one has time, too.
    const absl::Time now = SteadyNow();
    why = Connect(*each, tls, now + (deadline - now) / left--);
    if (why == 0) return absl::OkStatus();
    if (why == EPROTO) {
      return UnavailableError("it speaks http, not https");
    }
  }
  return absl::UnavailableError(strerror(why));
}

}  // namespace

absl::Status TryToConnect(const Endpoint& endpoint, absl::Duration timeout) {
  // A name may take longer to resolve than anybody waits.
  CallPool pool(1);
  const absl::Status status = pool.Call(
      [endpoint, deadline = SteadyNow() + timeout] {
        return ConnectTo(endpoint, deadline);
      },
      {timeout});
  if (status.ok()) return status;
  return UnavailableError("cannot reach {} ({})", endpoint.shown,
                          absl::IsDeadlineExceeded(status)
                              ? "no answer"
                              : std::string(status.message()));
}

std::string RepairOf(const Endpoint& endpoint) {
  if (endpoint.variable.empty()) return "check that the server is running";
  return Format("check {}, and that the server is running",
                WithOrigin(endpoint.variable.c_str()));
}

}  // namespace fsload
