// A log sink that keeps the thread which watches the process: no call waits for
// that thread.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <functional>
#include <future>
#include <string>
#include <string_view>
#include <utility>

#include "absl/time/time.h"
#include "core/testing/allocation_count.h"
#include "fsload/log_sink.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/testing/test_processes.h"
#include "loader/worker/isolated_plugin_fixture.h"

namespace fsload {
namespace {

class BusyLogTest : public IsolatedPluginTest {
 protected:
  ~BusyLogTest() override {
    file_system_ = nullptr;
    EXPECT_EQ(registry_.RetireAll(), absl::OkStatus());
    AwaitOneThread();  // the one that logs
    SetLogTarget(before_);
  }

  // Has the plugin print a line, which the sink gives to `on_line`.
  absl::Status PrintALine(std::function<void()> on_line) {
    static auto* const called = new std::function<void()>;
    *called = std::move(on_line);
    before_ =
        SetLogTarget({[](const LogRecord& record, void* function) {
                        constexpr std::string_view kLine = "red";
                        if (record.message.find(kLine) == kNone) return;
                        (*static_cast<std::function<void()>*>(function))();
                      },
                      called});
    LoadOptions options = Options();
    options.isolation->call_timeout = absl::Seconds(30);
    const absl::Status status =
        LoadPlugin("testdata/hostile_prints_a_line_children.so", options)
            .status;
    if (!status.ok()) return status;
    file_system_ = *registry_.Find("hostile");
    return file_system_->GetChildren("hostile:///deed").status();
  }

  // Kills the process and makes a call.
  absl::Status CallAfterAKill(const std::string& path = "quiet") {
    const pid_t worker = ChildProcesses().at(0);
    kill(worker, SIGKILL);
    siginfo_t ended;  // before that, it may answer
    waitid(P_PID, worker, &ended, WEXITED | WNOWAIT);
    return file_system_->GetChildren("hostile:///" + path).status();
  }

  static constexpr size_t kNone = std::string_view::npos;
  FileSystemPtr file_system_;
  LogTarget before_;
};

TEST_F(BusyLogTest, KeepsNoCallFromTheEndOfTheProcess) {
  std::promise<void> logs;
  std::promise<void> called;
  ASSERT_EQ(PrintALine([&] {
              logs.set_value();
              called.get_future().wait();
            }),
            absl::OkStatus());
  logs.get_future().wait();
  const absl::Status status = CallAfterAKill();
  called.set_value();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr("how is not known"));
}

// The process must be sent a buffer for such a path.
TEST_F(BusyLogTest, KeepsNoLargeCallFromTheEndOfTheProcess) {
  std::promise<void> logs;
  std::promise<void> called;
  ASSERT_EQ(PrintALine([&] {
              logs.set_value();
              called.get_future().wait();
            }),
            absl::OkStatus());
  logs.get_future().wait();
  const absl::Status status = CallAfterAKill(std::string(100'000, 'x'));
  called.set_value();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr("how is not known"));
}

TEST_F(BusyLogTest, MayCallAProcessThatEnds) {
  std::promise<void> printed;
  std::promise<absl::Status> made;
  std::promise<absl::Status> made_next;
  ASSERT_EQ(PrintALine([&] {
              printed.get_future().wait();
              made.set_value(CallAfterAKill(std::string(100'000, 'x')));
              absl::Status next =
                  file_system_->GetChildren("hostile:///quiet").status();
              made_next.set_value(std::move(next));
            }),
            absl::OkStatus());
  printed.set_value();
  const absl::Status status = made.get_future().get();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr("how is not known"));
  EXPECT_EQ(made_next.get_future().get(), absl::OkStatus());
}

TEST_F(BusyLogTest, EndsNoProgramThatHasNoMemory) {
  std::promise<void> logged;
  ASSERT_EQ(PrintALine([&] {
              AllowAllocations(0);  // in the thread that watches the process
              logged.set_value();
            }),
            absl::OkStatus());
  logged.get_future().wait();
  KillWorker();
  EXPECT_EQ(file_system_->GetChildren("hostile:///quiet").status(),
            absl::OkStatus());
}

}  // namespace
}  // namespace fsload
