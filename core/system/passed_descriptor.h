// Passes descriptors from one process to another, by a Unix socket.
#pragma once

#include <sys/types.h>

#include <cstddef>

#include "core/system/descriptor.h"

namespace fsload {

// Calls sendmsg(2) once, with `size` bytes and, unless it is -1, `fd`.
ssize_t SendWithDescriptor(int socket, const void* bytes, size_t size, int fd,
                           int flags);

// Calls recvmsg(2) once, for at most `size` bytes and one descriptor, which
// becomes `fd` if it came. Returns -1, also with EMFILE if this process may not
// have the descriptor, or for two.
ssize_t ReceiveWithDescriptor(int socket, void* bytes, size_t size,
                              Descriptor& fd);

}  // namespace fsload
