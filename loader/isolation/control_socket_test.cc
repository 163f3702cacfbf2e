#include "loader/isolation/control_socket.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/time/time.h"
#include "core/system/descriptor.h"
#include "loader/testing/test_processes.h"

namespace fsload {
namespace {

constexpr absl::Duration kTimeout = absl::Seconds(10);

class ControlSocketTest : public testing::Test {
 protected:
  ControlSocketTest() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    sender_ = Descriptor(ends[0]);
    receiver_ = Descriptor(ends[1]);
  }

  // Receives a message. Returns 0, or errno.
  int Receive() {
    ControlMessage message;
    Descriptor descriptor;
    return ReceiveControl(receiver_.get(), message, descriptor, kTimeout)
               ? 0
               : errno;
  }

  Descriptor sender_;
  Descriptor receiver_;
};

TEST_F(ControlSocketTest, FailsIfTheDescriptorIsOneTooMany) {
  ASSERT_TRUE(SendControl(sender_.get(), {}, STDIN_FILENO, kTimeout));
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int lowest = dup(STDIN_FILENO);
  close(lowest);
  const rlimit all_taken = {static_cast<rlim_t>(lowest), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &all_taken), 0);
  const int error = Receive();
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(error, EMFILE);
}

TEST_F(ControlSocketTest, TakesNoSecondDescriptor) {
  constexpr int kBoth[] = {STDIN_FILENO, STDIN_FILENO};
  ControlMessage message;
  iovec part = {&message, sizeof(message)};
  alignas(cmsghdr) char space[CMSG_SPACE(sizeof(kBoth))] = {};
  msghdr sent = {};
  sent.msg_iov = &part;
  sent.msg_iovlen = 1;
  sent.msg_control = space;
  sent.msg_controllen = sizeof(space);
  cmsghdr* const header = CMSG_FIRSTHDR(&sent);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(kBoth));
  std::memcpy(CMSG_DATA(header), kBoth, sizeof(kBoth));
  ASSERT_GT(sendmsg(sender_.get(), &sent, 0), 0);
  const size_t before = CountOpenDescriptors();
  EXPECT_NE(Receive(), 0);
  EXPECT_EQ(CountOpenDescriptors(), before);
}

}  // namespace
}  // namespace fsload
