#include "tools/network/connection.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

namespace fsload {
namespace {

using testing::HasSubstr;

// A socket of this machine with a port of its own.
class Listener {
 public:
  Listener() : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address_);
    auto* const address = reinterpret_cast<sockaddr*>(&address_);
    EXPECT_EQ(bind(fd_, address, size), 0);
    EXPECT_EQ(getsockname(fd_, address, &size), 0);
  }
  ~Listener() { close(fd_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void Listen() const { EXPECT_EQ(listen(fd_, 1), 0); }

  Endpoint endpoint() const {
    const std::string port = std::to_string(ntohs(address_.sin_port));
    return {"http://127.0.0.1:" + port, "127.0.0.1", port, "S3_ENDPOINT"};
  }

 private:
  const int fd_;
  sockaddr_in address_ = {};
};

TEST(Connection, ReachesAServerThatListens) {
  const Listener server;
  server.Listen();
  EXPECT_EQ(TryToConnect(server.endpoint(), absl::Seconds(10)),
            absl::OkStatus());
}

TEST(Connection, NamesTheServerThatRefuses) {
  const Listener server;
  EXPECT_EQ(TryToConnect(server.endpoint(), absl::Seconds(10)),
            absl::UnavailableError("cannot reach " + server.endpoint().shown +
                                   " (Connection refused)"));
}

TEST(Connection, NamesTheHostThatDoesNotExist) {
  const absl::Status status = TryToConnect(
      {"http://host.invalid", "host.invalid", "80", ""}, absl::Seconds(30));
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("cannot reach http://host.invalid ("));
}

TEST(Connection, SaysWhatToCheck) {
  EXPECT_EQ(RepairOf({"http://h", "h", "80", "S3_ENDPOINT"}),
            "check S3_ENDPOINT, and that the server is running");
  EXPECT_EQ(RepairOf({"http://h", "h", "80", ""}),
            "check that the server is running");
}

}  // namespace
}  // namespace fsload
