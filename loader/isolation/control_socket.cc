#include "loader/isolation/control_socket.h"

#include <sys/socket.h>

#include <cerrno>
#include <string>
#include <string_view>

#include "core/system/passed_descriptor.h"
#include "core/threads/poll_until.h"
#include "core/threads/steady_now.h"
#include "fsload/version.h"
#include "third_party/fmt/format.h"

namespace fsload {

bool SendControl(int socket, const ControlMessage& message, int descriptor,
                 absl::Duration timeout) {
  const absl::Time deadline = SteadyNow() + timeout;
  for (;;) {
    if (SendWithDescriptor(socket, &message, sizeof(message), descriptor,
                           MSG_NOSIGNAL | MSG_DONTWAIT) >= 0) {
      return true;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
    pollfd polled = {socket, POLLOUT, 0};
    if (PollUntil({&polled, 1}, deadline) <= 0) return false;
  }
}

bool ReceiveControl(int socket, ControlMessage& message, Descriptor& descriptor,
                    absl::Duration timeout) {
  pollfd polled = {socket, POLLIN, 0};
  if (PollUntil({&polled, 1}, SteadyNow() + timeout) <= 0) return false;
  ssize_t bytes;
  do {
    bytes =
        ReceiveWithDescriptor(socket, &message, sizeof(message), descriptor);
  } while (bytes < 0 && errno == EINTR);
  if (bytes < 0) return false;
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
