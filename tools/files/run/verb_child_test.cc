#include "tools/files/run/verb_child.h"

#include <unistd.h>

#include <string>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/session/running_ops.h"

namespace fsload {
namespace {

constexpr absl::Duration kDeadline = absl::Milliseconds(700);

absl::Duration Deadline(const RunningOp& /*op*/) { return kDeadline; }

TEST(VerbChildTest, IsEndedInACallOnALocalDiskThatDoesNotReturn) {
  const VerbEnd end = RunInChild(
      [](OpObserver&) {
        const LocalCall call("read", "/mnt/a");
        return pause();
      },
      &Deadline, /*changes=*/false);
  EXPECT_FALSE(end.exit_code.has_value());
  EXPECT_EQ(end.uri, "/mnt/a");
  EXPECT_EQ(end.status,
            absl::DeadlineExceededError(
                "/mnt/a: read did not return within 700ms, so its process was "
                "killed; --op-timeout gives it more time"));
}

TEST(VerbChildTest, IsEndedForTheOneOperationThatMayTakeNoLonger) {
  const VerbEnd end = RunInChild(
      [](OpObserver&) {
        const LocalCall slow("read", "slow:///a");
        const LocalCall call("read", "/mnt/a");
        return pause();
      },
      [](const RunningOp& op) {
        return op.uri == "slow:///a" ? absl::Seconds(600) : kDeadline;
      },
      /*changes=*/false);
  EXPECT_EQ(end.uri, "/mnt/a");
  EXPECT_TRUE(absl::IsDeadlineExceeded(end.status)) << end.status;
}

TEST(VerbChildTest, SaysThatWhatItChangedBeforeItDiedIsComplete) {
  const auto leave = [](OpObserver&) -> int { _exit(3); };
  const std::string text =
      "a plugin called exit(3) while it was loaded or unloaded";
  EXPECT_EQ(RunInChild(leave, &Deadline, /*changes=*/false).status,
            absl::InternalError(text));
  EXPECT_EQ(RunInChild(leave, &Deadline, /*changes=*/true).status,
            absl::InternalError(text + "; what was done before is complete"));
}

TEST(VerbChildTest, IsNotEndedWhileItProgresses) {
  const VerbEnd end = RunInChild(
      [](OpObserver&) {
        for (int i = 0; i < 20; ++i) {
          const LocalCall call("read", "/mnt/a");
          absl::SleepFor(kDeadline / 7);
        }
        return 0;
      },
      &Deadline, /*changes=*/false);
  EXPECT_EQ(end.exit_code, 0);
}

}  // namespace
}  // namespace fsload
