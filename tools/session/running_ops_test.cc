#include "tools/session/running_ops.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

constexpr OpStart kList = {"s3", Op::kFilesystem_get_children, "s3://b/x"};
constexpr OpCall kListed = {"s3", kList.op, kList.uri, -1, {}, TF_OK};

TEST(RunningOps, AreThoseThatHaveStartedAndNotReturned) {
  const std::unique_ptr<RunningOps> ops = RunningOps::Create();
  EXPECT_TRUE(ops->All().empty());
  ops->OnStart(kList);
  const std::vector<RunningOp> running = ops->All();
  ASSERT_EQ(running.size(), 1);
  EXPECT_EQ(running[0].thread, gettid());
  EXPECT_EQ(running[0].op, "get_children");
  EXPECT_EQ(running[0].uri, "s3://b/x");
  EXPECT_GE(running[0].running, absl::ZeroDuration());
  ops->OnCall(kListed);
  EXPECT_TRUE(ops->All().empty());
}

TEST(RunningOps, MayBeInsideOfEachOther) {
  const std::unique_ptr<RunningOps> ops = RunningOps::Create();
  ops->OnStart(kList);
  ops->OnStart({"cache", Op::kFilesystem_stat, "cache://b/x"});
  EXPECT_EQ(ops->All().size(), 2);
  ops->OnCall(kListed);
  ASSERT_EQ(ops->All().size(), 1);
  EXPECT_EQ(ops->All()[0].op, "get_children");
  ops->OnCall(kListed);
  EXPECT_TRUE(ops->All().empty());
}

TEST(RunningOps, AreAllThoseOfManyThreads) {
  constexpr int kThreads = 300;
  const std::unique_ptr<RunningOps> ops = RunningOps::Create();
  std::atomic<int> begun{0};
  std::atomic<bool> may_end{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      ops->OnStart(kList);
      ++begun;
      while (!may_end) absl::SleepFor(absl::Milliseconds(1));
      ops->OnCall(kListed);
    });
  }
  while (begun < kThreads) absl::SleepFor(absl::Milliseconds(1));
  EXPECT_EQ(ops->All().size(), kThreads);
  may_end = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(ops->All().empty());
}

TEST(RunningOps, IncludeCallsOnLocalDisks) {
  { const LocalCall untracked("read", "/a"); }
  const std::unique_ptr<RunningOps> ops = RunningOps::Create();
  ops->TrackLocalCalls();
  {
    const LocalCall call("read", "/mnt/a");
    ASSERT_EQ(ops->All().size(), 1);
    EXPECT_EQ(ops->All()[0].op, "read");
    EXPECT_EQ(ops->All()[0].uri, "/mnt/a");
  }
  EXPECT_TRUE(ops->All().empty());
}

TEST(RunningOps, DoNotCountWhileTheProcessIsStopped) {
  constexpr absl::Duration kStopped = absl::Milliseconds(300);
  const std::unique_ptr<RunningOps> ops = RunningOps::Create();
  const absl::Time before = absl::Now();
  ops->OnStart(kList);
  absl::SleepFor(kStopped);
  ops->LeaveOut(kStopped);
  ASSERT_EQ(ops->All().size(), 1);
  EXPECT_LE(ops->All()[0].running, absl::Now() - before - kStopped);
  EXPECT_GE(ops->All()[0].running, absl::ZeroDuration());
}

TEST(RunningOps, CountInFullWhenTheyBeganAfterAStop) {
  const std::unique_ptr<RunningOps> ops = RunningOps::Create();
  ops->LeaveOut(absl::Hours(1));
  ops->OnStart(kList);
  absl::SleepFor(absl::Milliseconds(10));
  EXPECT_GE(ops->All()[0].running, absl::Milliseconds(10));
}

TEST(RunningOps, OutliveTheProcessTheyRanIn) {
  const std::unique_ptr<RunningOps> ops = RunningOps::Create();
  const pid_t child = fork();
  if (child == 0) {
    ops->OnStart(kList);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  ASSERT_EQ(ops->All().size(), 1);
  EXPECT_EQ(ops->All()[0].thread, child);
  EXPECT_EQ(ops->All()[0].uri, "s3://b/x");
}

TEST(RunningOps, CutLongUris) {
  const std::unique_ptr<RunningOps> ops = RunningOps::Create();
  const std::string uri = "s3://" + std::string(5000, 'x');
  ops->OnStart({"s3", kList.op, uri});
  EXPECT_EQ(ops->All()[0].uri, uri.substr(0, 1024));
  ops->OnCall(kListed);
}

}  // namespace
}  // namespace fsload
