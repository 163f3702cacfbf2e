#include "loader/supervision/supervised_child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "loader/supervision/shared_messages.h"

namespace fsload {
namespace {

using testing::IsEmpty;
using testing::MatchesRegex;

using Code = std::function<void(SharedMessages&)>;

std::unique_ptr<SupervisedChild> Start(const Code& code,
                                       const ChildOptions& options = {}) {
  auto child =
      SupervisedChild::Start([&code](SharedMessages& messages,
                                     const ChildContext&) { code(messages); },
                             options);
  EXPECT_TRUE(child.ok()) << child.status();
  return *std::move(child);
}

ChildOutcome RunToTheEnd(const Code& code, const ChildOptions& options = {}) {
  const auto outcome = Start(code, options)->Finish();
  EXPECT_TRUE(outcome.ok()) << outcome.status();
  return *outcome;
}

ChildOptions WithDeadline(absl::Duration deadline) {
  ChildOptions options;
  options.deadline = deadline;
  return options;
}

// Whether a process with this number, as text, exists.
bool IsRunning(const std::string& process) {
  return kill(std::stoi(process), 0) == 0;
}

[[noreturn]] void SleepForEver() {
  while (true) pause();
}

TEST(SupervisedChildTest, HandsMessagesOver) {
  const ChildOutcome outcome = RunToTheEnd([](SharedMessages& messages) {
    messages.Append("first", "of two");
    messages.Append("second", "");
  });
  EXPECT_EQ(outcome.messages, "first of two\nsecond \n");
  EXPECT_TRUE(outcome.exited);
  EXPECT_EQ(outcome.exit_code, outcome.code_of_return);
  EXPECT_EQ(outcome.strays, 0);
}

TEST(SupervisedChildTest, LeavesOutMessagesThatDoNotFit) {
  const ChildOutcome outcome = RunToTheEnd([](SharedMessages& messages) {
    const std::string large(size_t{10} << 20, 'x');
    messages.Append("a", large);
    messages.Append("b", large);
  });
  EXPECT_EQ(outcome.messages.substr(0, 3), "a x");
  EXPECT_EQ(outcome.messages.find('b'), std::string::npos);
}

TEST(SupervisedChildTest, CapturesBothOutputsAndNotTheParents) {
  std::fputs("the parent's\n", stdout);  // perhaps not flushed yet
  const ChildOutcome outcome = RunToTheEnd([](SharedMessages&) {
    std::fputs("out\n", stdout);
    std::fputs("err\n", stderr);
  });
  EXPECT_EQ(outcome.output, "out\nerr\n");
  EXPECT_FALSE(outcome.output_cut);
}

TEST(SupervisedChildTest, CutsLongOutput) {
  ChildOptions options;
  options.max_output_bytes = 10;
  const ChildOutcome outcome = RunToTheEnd(
      [](SharedMessages&) {
        for (int i = 0; i < 1'000'000; ++i) std::puts("0123456789");
      },
      options);
  EXPECT_EQ(outcome.output, "0123456789");
  EXPECT_TRUE(outcome.output_cut);
}

TEST(SupervisedChildTest, TellsAnExitFromASignal) {
  const ChildOutcome exit = RunToTheEnd([](SharedMessages&) { _exit(7); });
  EXPECT_TRUE(exit.exited);
  EXPECT_EQ(exit.exit_code, 7);
  const ChildOutcome killed =
      RunToTheEnd([](SharedMessages&) { raise(SIGKILL); });
  EXPECT_FALSE(killed.exited);
  EXPECT_EQ(killed.signal, SIGKILL);
  EXPECT_FALSE(killed.timed_out);
}

// As inherited from a program that ignores it.
TEST(SupervisedChildTest, SaysHowTheChildEndedWhereSuchSignalsAreIgnored) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const ChildOutcome outcome = RunToTheEnd([](SharedMessages&) { _exit(7); });
  std::signal(SIGCHLD, before);
  EXPECT_TRUE(outcome.exited);
  EXPECT_EQ(outcome.exit_code, 7);
}

TEST(SupervisedChildTest, KillsTheChildAtTheDeadline) {
  const ChildOutcome outcome = RunToTheEnd(
      [](SharedMessages&) { SleepForEver(); }, WithDeadline(absl::Seconds(1)));
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_EQ(outcome.signal, SIGKILL);
}

void FillPages(int flags, int file, size_t bytes) {
  void* const pages =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  std::memset(pages, 1, bytes);
}

TEST(SupervisedChildTest, KillsWhatUsesTooMuchMemory) {
  constexpr size_t kMax = size_t{64} << 20;
  constexpr size_t kTaken = kMax + (size_t{8} << 20);
  const struct {
    const char* name;
    std::function<void()> take;
  } kCases[] = {
      {"its own", [] { FillPages(MAP_PRIVATE | MAP_ANONYMOUS, -1, kTaken); }},
      {"shared", [] { FillPages(MAP_SHARED | MAP_ANONYMOUS, -1, kTaken); }},
      {"a file in memory",
       [] {
         const std::string block(size_t{1} << 20, 'x');
         const int file = memfd_create("memory", 0);
         for (size_t written = 0; written < kTaken; written += block.size()) {
           static_cast<void>(!write(file, block.data(), block.size()));
         }
       }},
      {"of a child of its own",
       [] {
         if (fork() == 0) FillPages(MAP_PRIVATE | MAP_ANONYMOUS, -1, kTaken);
       }},
  };
  for (const auto& each : kCases) {
    ChildOptions options = WithDeadline(absl::Minutes(1));
    options.max_memory_bytes = kMax;
    const ChildOutcome outcome = RunToTheEnd(
        [&](SharedMessages&) {
          each.take();
          SleepForEver();
        },
        options);
    EXPECT_EQ(outcome.memory_used_up, kMax) << each.name;
    EXPECT_FALSE(outcome.timed_out) << each.name;
    EXPECT_EQ(outcome.signal, SIGKILL) << each.name;
  }
}

TEST(SupervisedChildTest, CountsNoMemoryThatIsOnlyReserved) {
  ChildOptions options;
  options.max_memory_bytes = size_t{64} << 20;
  const ChildOutcome outcome = RunToTheEnd(
      [](SharedMessages& messages) {
        constexpr size_t kBytes = size_t{8} << 30;
        const void* const pages = mmap(nullptr, kBytes, PROT_NONE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        messages.Append("reserved", pages == MAP_FAILED ? "no" : "yes");
        usleep(200'000);
      },
      options);
  EXPECT_EQ(outcome.messages, "reserved yes\n");
  EXPECT_EQ(outcome.memory_used_up, 0);
}

// The verdict does not wait for it.
TEST(SupervisedChildTest, RemovesManyFilesOfAChildThatIsKilled) {
  const auto child = SupervisedChild::Start(
      [](SharedMessages& messages, const ChildContext& context) {
        messages.Append("folder", context.scratch_folder);
        for (int i = 0;; ++i) {
          const std::string below =
              context.scratch_folder + "/" + std::to_string(i);
          mkdir(below.c_str(), 0700);
          std::ofstream(below + "/file") << "contents";
          chmod(below.c_str(), 0300);
        }
      },
      WithDeadline(absl::Seconds(2)));
  ASSERT_TRUE(child.ok()) << child.status();
  const absl::StatusOr<ChildOutcome> killed = (*child)->Finish();
  ASSERT_TRUE(killed.ok()) << killed.status();
  EXPECT_TRUE(killed->timed_out);
  const std::string folder =
      killed->messages.substr(7, killed->messages.size() - 8);
  EXPECT_THAT(folder, MatchesRegex(".*/fsload\\......."));
  EXPECT_NE(access(folder.c_str(), F_OK), 0);
}

TEST(SupervisedChildTest, KillsWhatTheChildLeftBehind) {
  const ChildOutcome outcome = RunToTheEnd([](SharedMessages& messages) {
    for (int i = 0; i < 3; ++i) {
      const pid_t stray = fork();
      if (stray == 0) {
        setsid();
        SleepForEver();
      }
      messages.Append("stray", std::to_string(stray));
    }
  });
  EXPECT_EQ(outcome.strays, 3);
  EXPECT_EQ(outcome.survivors, 0);
  EXPECT_FALSE(IsRunning(outcome.messages.substr(6)));
}

// Done only by what it supervises.
TEST(SupervisedChildTest, KillsEverythingWhereTheSupervisorWasStopped) {
  const auto child = Start(
      [](SharedMessages& messages) {
        const pid_t stray = fork();
        if (stray == 0) {
          setsid();
          SleepForEver();
        }
        messages.Append("stray", std::to_string(stray));
        kill(getppid(), SIGSTOP);
        SleepForEver();
      },
      WithDeadline(absl::Seconds(1)));
  const absl::StatusOr<ChildOutcome> outcome = child->Finish();
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_TRUE(outcome->timed_out);
  EXPECT_FALSE(IsRunning(outcome->messages.substr(6)));
}

TEST(SupervisedChildTest, DoesNotCountChildrenThatHadEnded) {
  const ChildOutcome outcome = RunToTheEnd([](SharedMessages&) {
    if (fork() == 0) _exit(0);
    // Waits until it is a zombie; its descriptors are closed earlier, so a pipe
    // would not tell.
    siginfo_t ended;
    static_cast<void>(!waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT));
  });
  EXPECT_EQ(outcome.strays, 0);
}

TEST(SupervisedChildTest, KillsTheChildWhenTheRunIsGivenUp) {
  Start([](SharedMessages&) { SleepForEver(); }).reset();
  // This process has no child left, and so no supervisor.
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(SupervisedChildTest, IsGivenUpWhereTheSupervisorWasStopped) {
  const auto give_up = [] {
    alarm(60);
    auto child = Start([](SharedMessages& messages) {
      kill(getppid(), SIGSTOP);
      messages.Append("stopped", "");
      SleepForEver();
    });
    const auto one = child.get();
    // Long enough for the signal.
    const absl::Time end = absl::Now() + absl::Seconds(1);
    SupervisedChild::WaitForAny({one}, [&] { return absl::Now() > end; });
    child.reset();
    _exit(0);
  };
  EXPECT_EXIT(give_up(), testing::ExitedWithCode(0), "");
}

TEST(SupervisedChildTest, HasNoDescriptorsOfTheParent) {
  const ChildOutcome outcome = RunToTheEnd([](SharedMessages& messages) {
    for (int fd = 3; fd < 1024; ++fd) {
      if (close(fd) == 0) messages.Append("open", std::to_string(fd));
    }
  });
  EXPECT_THAT(outcome.messages, IsEmpty());
}

TEST(SupervisedChildTest, HasAScratchFolderForAsLongAsItRuns) {
  const auto child = SupervisedChild::Start(
      [](SharedMessages& messages, const ChildContext& context) {
        const std::string& folder = context.scratch_folder;
        std::ofstream(folder + "/file") << "contents";
        messages.Append("folder", folder);
      },
      {});
  ASSERT_TRUE(child.ok()) << child.status();
  const ChildOutcome outcome = *(*child)->Finish();
  const std::string folder = outcome.messages.substr(7);
  EXPECT_THAT(folder, MatchesRegex(".*/fsload\\.......\n"));
  EXPECT_NE(access(folder.substr(0, folder.size() - 1).c_str(), F_OK), 0);
}

TEST(SupervisedChildTest, WaitsForWhicheverOfSeveralEndsFirst) {
  const auto slow = Start([](SharedMessages&) { SleepForEver(); });
  const auto quick = Start([](SharedMessages&) {});
  EXPECT_EQ(SupervisedChild::WaitForAny({slow.get(), quick.get()}), 1);
}

TEST(SupervisedChildTest, WaitsNoLongerOnceItIsToStop) {
  const auto child = Start([](SharedMessages&) { SleepForEver(); },
                           WithDeadline(absl::Hours(1)));
  int asked = 0;
  EXPECT_EQ(
      SupervisedChild::WaitForAny({child.get()}, [&] { return ++asked == 3; }),
      1);
}

TEST(SupervisedChildTest, EndsEachAtItsOwnDeadline) {
  const auto later = Start([](SharedMessages&) { SleepForEver(); },
                           WithDeadline(absl::Hours(1)));
  const auto sooner = Start([](SharedMessages&) { SleepForEver(); },
                            WithDeadline(absl::Milliseconds(100)));
  EXPECT_EQ(SupervisedChild::WaitForAny({later.get(), sooner.get()}), 1);
  EXPECT_TRUE(sooner->Finish()->timed_out);
}

}  // namespace
}  // namespace fsload
