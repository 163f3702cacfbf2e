#include "loader/isolation/control_socket.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string>
#include <string_view>

#include "core/threads/steady_now.h"
#include "fsload/version.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Returns false, with errno, if `events` do not come in time.
bool Await(int socket, short events, absl::Time deadline) {
  for (;;) {
    const absl::Duration left =
        std::max(deadline - SteadyNow(), absl::ZeroDuration());
    pollfd polled = {socket, events, 0};
    const int found = poll(
        &polled, 1,
        static_cast<int>(std::min<int64_t>(
            absl::ToInt64Milliseconds(left + absl::Milliseconds(1)), INT_MAX)));
    if (found > 0) return true;
    if (found < 0 && errno != EINTR) return false;
    if (SteadyNow() >= deadline) {
      errno = ETIMEDOUT;
      return false;
    }
  }
}

}  // namespace

bool SendControl(int socket, const ControlMessage& message, int descriptor,
                 absl::Duration timeout) {
  const absl::Time deadline = SteadyNow() + timeout;
  iovec part = {const_cast<ControlMessage*>(&message), sizeof(message)};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr sent = {};
  sent.msg_iov = &part;
  sent.msg_iovlen = 1;
  if (descriptor >= 0) {
    sent.msg_control = space;
    sent.msg_controllen = sizeof(space);
    cmsghdr* const header = CMSG_FIRSTHDR(&sent);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof(descriptor));
  }
  for (;;) {
    if (sendmsg(socket, &sent, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) return true;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
    if (!Await(socket, POLLOUT, deadline)) return false;
  }
}

bool ReceiveControl(int socket, ControlMessage& message, Descriptor& descriptor,
                    absl::Duration timeout) {
  if (!Await(socket, POLLIN, SteadyNow() + timeout)) return false;
  iovec part = {&message, sizeof(message)};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr received = {};
  received.msg_iov = &part;
  received.msg_iovlen = 1;
  received.msg_control = space;
  // Not all of it, which has room for two.
  received.msg_controllen = CMSG_LEN(sizeof(int));
  ssize_t bytes;
  do {
    bytes = recvmsg(socket, &received, MSG_CMSG_CLOEXEC);
  } while (bytes < 0 && errno == EINTR);
  if (bytes < 0) return false;
  for (cmsghdr* each = CMSG_FIRSTHDR(&received); each != nullptr;
       each = CMSG_NXTHDR(&received, each)) {
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) {
      continue;
    }
    int sent;
    std::memcpy(&sent, CMSG_DATA(each), sizeof(sent));
    descriptor = Descriptor(sent);
  }
  if ((received.msg_flags & MSG_CTRUNC) != 0) {
    errno = EMFILE;
    return false;
  }
  errno = bytes == 0 ? 0 : EBADMSG;
  message.version[sizeof(message.version) - 1] = '\0';
  return bytes == sizeof(message);
}

absl::Status CheckVersion(const ControlMessage& hello,
                          const std::string& program) {
  if (hello.protocol == kWorkerProtocol &&
      std::string_view(hello.version) == kVersion) {
    return absl::OkStatus();
  }
  return FailedPreconditionError(
      "{} is of fsload {} (protocol {}), and this program of {} (protocol {}); "
      "install both from one package",
      program, hello.version, hello.protocol, std::string(kVersion),
      kWorkerProtocol);
}

}  // namespace fsload
