#include "core/system/passed_descriptor.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace fsload {

ssize_t SendWithDescriptor(int socket, const void* bytes, size_t size, int fd,
                           int flags) {
  iovec part = {const_cast<void*>(bytes), size};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (fd >= 0) {
    message.msg_control = space;
    message.msg_controllen = sizeof(space);
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &fd, sizeof(fd));
  }
  return sendmsg(socket, &message, flags);
}

ssize_t ReceiveWithDescriptor(int socket, void* bytes, size_t size,
                              Descriptor& fd) {
  iovec part = {bytes, size};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space;
  // Not all of it, which has room for two.
  message.msg_controllen = CMSG_LEN(sizeof(int));
  const ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_level == SOL_SOCKET &&
      header->cmsg_type == SCM_RIGHTS) {
    int passed;
    std::memcpy(&passed, CMSG_DATA(header), sizeof(passed));
    fd = Descriptor(passed);
  }
  if ((message.msg_flags & MSG_CTRUNC) == 0) return received;
  errno = EMFILE;
  return -1;
}

}  // namespace fsload
