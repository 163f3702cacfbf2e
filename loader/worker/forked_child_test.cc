// Stops of calls in a process that was forked.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "fsload/stop_token.h"
#include "loader/worker/isolated_plugin_fixture.h"

namespace fsload {
namespace {

// Returns the status of a child's end, also if it is killed after 30 s.
int EndOf(pid_t child) {
  const absl::Time end = absl::Now() + absl::Seconds(30);
  int status = -1;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (absl::Now() > end) kill(child, SIGKILL);
    absl::SleepFor(absl::Milliseconds(1));
  }
  return status;
}

class ForkedChildTest : public IsolatedPluginTest {
 protected:
  FileSystemPtr Load(const std::string& plugin, const std::string& scheme) {
    LoadOptions options = Options();
    options.isolation->stop = source_.token();
    EXPECT_EQ(LoadPlugin(plugin, options).status, absl::OkStatus());
    return *registry_.Find(scheme);
  }

  // Forks while another thread has the stop's lock, so that the child has it
  // for ever. Returns the status of the child's end, after `run` was true or
  // not.
  int EndOfChildWithLock(const std::function<bool()>& run) {
    std::promise<void> locked;
    std::promise<void> forked;
    std::shared_ptr<void> last(nullptr, [&](void*) {
      locked.set_value();
      forked.get_future().wait();
    });
    auto callback = std::make_unique<StopCallback>(
        source_.token(), [last = std::move(last)] { static_cast<void>(last); });
    std::thread holds([&] { callback = nullptr; });
    locked.get_future().wait();
    const pid_t child = fork();
    if (child == 0) _exit(run() ? 0 : 1);
    forked.set_value();
    holds.join();
    return EndOf(child);
  }

  StopSource source_;
};

TEST_F(ForkedChildTest, CallsWithoutTheLockOfAStop) {
  const FileSystemPtr file_system = Load("testdata/posix.so", "posix");
  EXPECT_EQ(EndOfChildWithLock(
                [&] { return file_system->FileExists("posix:///").ok(); }),
            0);
}

TEST_F(ForkedChildTest, LoadsWithoutTheLockOfAStop) {
  EXPECT_EQ(
      EndOfChildWithLock([&] {
        return Load("testdata/posix.so", "posix")->FileExists("posix:///").ok();
      }),
      0);
}

TEST_F(ForkedChildTest, CanBeStopped) {
  const FileSystemPtr file_system =
      Load("testdata/hostile_hangs_children.so", "hostile");
  const pid_t child = fork();
  if (child == 0) {
    std::thread([this] {
      absl::SleepFor(absl::Milliseconds(100));
      source_.RequestStop();
    }).detach();
    const absl::Status status =
        file_system->GetChildren("hostile:///deed").status();
    _exit(absl::IsCancelled(status) ? 0 : 1);
  }
  EXPECT_EQ(EndOf(child), 0);
}

}  // namespace
}  // namespace fsload
