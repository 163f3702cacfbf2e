// What ends a worker, and what its end leaves.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/config.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/system/descriptor.h"
#include "fsload/configuration.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "fsload/whole_file.h"
#include "loader/isolation/worker_program.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_processes.h"
#include "loader/worker/isolated_plugin_fixture.h"

namespace fsload {
namespace {

using testing::HasSubstr;

constexpr absl::Duration kSoon = absl::Seconds(30);

// How soon after its host a worker has ended, and how long a call that hangs
// may take. Other calls, and the load, must take less.
#ifdef ABSL_HAVE_ADDRESS_SANITIZER
constexpr absl::Duration kAfterHost = absl::Seconds(10);
constexpr absl::Duration kHang = absl::Seconds(10);
#else
constexpr absl::Duration kAfterHost = absl::Seconds(1);
constexpr absl::Duration kHang = absl::Seconds(3);
#endif

TEST_F(IsolatedPluginTest, SurvivesACrash) {
  ASSERT_EQ(
      LoadPlugin("testdata/hostile_crashes_children.so", Options()).status,
      absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("hostile");
  const absl::Status status =
      file_system->GetChildren("hostile:///deed").status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("SIGSEGV"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("hostile:///deed"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("get_children"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("of the plugin"));
}

TEST_F(IsolatedPluginTest, StartsAnewProcessAfterAKill) {
  ASSERT_EQ(LoadPlugin("testdata/posix.so", Options()).status,
            absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("posix");
  const std::string path = NewPath("killed");
  auto file = file_system->NewWritableFile("posix://" + path);
  ASSERT_EQ(file.status(), absl::OkStatus());
  ASSERT_EQ((*file)->Append("a"), absl::OkStatus());
  KillWorker();
  const absl::Status status = (*file)->Append("b");
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("SIGKILL"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("is lost"));
  EXPECT_EQ(file_system->FileExists("posix:///"), absl::OkStatus());
  EXPECT_EQ(ChildProcesses().size(), 1);
}

// The next process may give its first transaction the same number.
TEST_F(IsolatedPluginTest, LosesATransaction) {
  ASSERT_EQ(LoadPlugin("testdata/memory.so", Options()).status,
            absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("memory");
  auto lost = file_system->StartTransaction();
  ASSERT_EQ(lost.status(), absl::OkStatus());
  KillWorker();
  auto next = file_system->StartTransaction();
  ASSERT_EQ(next.status(), absl::OkStatus());
  const absl::Status status = lost->End();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("the transaction was lost"));
  EXPECT_EQ(file_system->AddToTransaction("memory:///f", next->token()),
            absl::OkStatus());
  EXPECT_EQ(next->End(), absl::OkStatus());
}

TEST_F(IsolatedPluginTest, EndsACallThatHangs) {
  LoadOptions options = Options();
  options.isolation->call_timeout = kHang;
  ASSERT_EQ(LoadPlugin("testdata/posix.so", options).status, absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("posix");
  const std::string path = NewPath("fifo");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const Descriptor pipe(open(path.c_str(), O_RDWR));
  const auto file = file_system->NewWritableFile("posix://" + path);
  ASSERT_EQ(file.status(), absl::OkStatus());
  const absl::Time begin = absl::Now();
  const absl::Status status =
      (*file)->Append(std::string(1 << 20, 'x'));  // nobody reads
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_GE(absl::Now() - begin, kHang);
  EXPECT_LT(absl::Now() - begin, kHang + kSoon);
  EXPECT_EQ(file_system->FileExists("posix:///"), absl::OkStatus());
}

// A stopped process hangs in any call.
TEST_F(IsolatedPluginTest, EndsAReadThatHangs) {
  LoadOptions options = Options();
  options.isolation->call_timeout = kHang;
  ASSERT_EQ(LoadPlugin("testdata/posix.so", options).status, absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("posix");
  const std::string path = NewPath("read");
  WriteFile(path, "contents");
  const auto file = file_system->NewRandomAccessFile("posix://" + path);
  ASSERT_EQ(file.status(), absl::OkStatus());
  char byte;
  ASSERT_EQ(*(*file)->Read(0, 1, &byte), 1);
  const pid_t worker = ChildProcesses().at(0);
  ASSERT_EQ(kill(worker, SIGSTOP), 0);
  siginfo_t stopped;  // all its threads are
  ASSERT_EQ(waitid(P_PID, worker, &stopped, WSTOPPED), 0);
  const absl::Time begin = absl::Now();
  const absl::Status status = (*file)->Read(0, 1, &byte).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_GE(absl::Now() - begin, kHang);
  EXPECT_LT(absl::Now() - begin, kHang + kSoon);
  EXPECT_EQ(*ReadWholeFile(*file_system, "posix://" + path), "contents");
}

TEST_F(IsolatedPluginTest, EndsOtherCallsBesideAHang) {
  LoadOptions options = Options();
  options.isolation->call_timeout = 3 * kHang;
  ASSERT_EQ(LoadPlugin("testdata/hostile_hangs_children.so", options).status,
            absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("hostile");
  absl::Status first;
  std::thread hangs(
      [&] { first = file_system->GetChildren("hostile:///deed").status(); });
  absl::SleepFor(kHang);
  EXPECT_EQ(file_system->GetChildren("hostile:///quiet").status(),
            absl::OkStatus());
  absl::Status later = file_system->GetChildren("hostile:///deed").status();
  hangs.join();
  if (absl::IsUnavailable(first)) std::swap(first, later);
  EXPECT_TRUE(absl::IsDeadlineExceeded(first)) << first;
  EXPECT_TRUE(absl::IsUnavailable(later)) << later;
  EXPECT_THAT(std::string(later.message()),
              HasSubstr("another call did not end"));
}

TEST_F(IsolatedPluginTest, StartsNoMoreThanAllowed) {
  LoadOptions options = Options();
  options.isolation->restarts = 2;
  ASSERT_EQ(LoadPlugin("testdata/hostile_crashes_children.so", options).status,
            absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("hostile");
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(absl::IsUnavailable(
        file_system->GetChildren("hostile:///deed").status()));
  }
  for (int i = 0; i < 3; ++i) {
    const absl::Status status =
        file_system->GetChildren("hostile:///quiet").status();
    EXPECT_TRUE(absl::IsUnavailable(status)) << status;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("no other is started: it was started again 2 times "
                          "within a minute"));
    EXPECT_THAT(std::string(status.message()), HasSubstr("SIGSEGV"));
  }
}

struct DeedCase {
  const char* plugin;
  absl::StatusCode code;
  const char* text;
  absl::Duration call_timeout = absl::Seconds(60);
  uint64_t memory_limit = 0;
};

class Deed : public IsolatedPluginTest,
             public testing::WithParamInterface<DeedCase> {};

TEST_P(Deed, EndsACallAndNothingElse) {
  LoadOptions options = Options();
  options.isolation->call_timeout = GetParam().call_timeout;
  options.isolation->memory_limit = GetParam().memory_limit;
  const std::string path =
      std::string("testdata/hostile_") + GetParam().plugin + "_children.so";
  ASSERT_EQ(LoadPlugin(path, options).status, absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("hostile");
  const absl::Status status =
      file_system->GetChildren("hostile:///deed").status();
  EXPECT_EQ(status.code(), GetParam().code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().text));
  EXPECT_EQ(file_system->GetChildren("hostile:///quiet")->size(), 1);
}

INSTANTIATE_TEST_SUITE_P(
    All, Deed,
    testing::Values(
        DeedCase{"crashes", absl::StatusCode::kUnavailable, "SIGSEGV"},
        DeedCase{"overflows_stack", absl::StatusCode::kUnavailable,
                 "a stack overflow"},
        DeedCase{"exits", absl::StatusCode::kUnavailable, "exit code 0"},
        DeedCase{"quick_exits", absl::StatusCode::kUnavailable, "exit code 0"},
#ifndef ABSL_HAVE_ADDRESS_SANITIZER  // which maps terabytes
        DeedCase{"eats_memory", absl::StatusCode::kInternal,
                 "; memory_limit allows the plugin's process 1073741824 bytes",
                 absl::Seconds(60), uint64_t{1} << 30},
#endif
        DeedCase{"hangs", absl::StatusCode::kDeadlineExceeded,
                 "no answer within", kHang}));

// --- Loads that end the process, or never end ---

class DeedOfLoad : public IsolatedPluginTest,
                   public testing::WithParamInterface<DeedCase> {};

TEST_P(DeedOfLoad, FailsTheLoad) {
  LoadOptions options = Options();
  options.isolation->call_timeout = GetParam().call_timeout;
  const absl::Status status =
      LoadPlugin(std::string("testdata/hostile_") + GetParam().plugin + ".so",
                 options)
          .status;
  EXPECT_EQ(status.code(), GetParam().code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().text));
  EXPECT_EQ(ChildProcesses().size(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, DeedOfLoad,
    testing::Values(
        DeedCase{"crashes_static", absl::StatusCode::kUnavailable, "SIGSEGV"},
        DeedCase{"crashes_entry", absl::StatusCode::kUnavailable, "SIGSEGV"},
        DeedCase{"crashes_init", absl::StatusCode::kUnavailable, "SIGSEGV"},
        DeedCase{"aborts_entry", absl::StatusCode::kUnavailable, "SIGABRT"},
        DeedCase{"pthread_exits_entry", absl::StatusCode::kUnavailable,
                 "exit code 3"},
        DeedCase{"throws_entry", absl::StatusCode::kFailedPrecondition,
                 "threw"},
        DeedCase{"hangs_static", absl::StatusCode::kDeadlineExceeded,
                 "no answer within", kHang}));

TEST_F(IsolatedPluginTest, CanBeStopped) {
  StopSource source;
  LoadOptions options = Options();
  options.isolation->stop = source.token();
  ASSERT_EQ(LoadPlugin("testdata/hostile_hangs_children.so", options).status,
            absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("hostile");
  std::thread stopper([&source] {
    absl::SleepFor(absl::Milliseconds(100));
    source.RequestStop();
  });
  const absl::Time begin = absl::Now();
  const absl::Status status =
      file_system->GetChildren("hostile:///deed").status();
  stopper.join();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_LT(absl::Now() - begin, kSoon);
  EXPECT_TRUE(
      absl::IsCancelled(file_system->GetChildren("hostile:///quiet").status()));
}

TEST_F(IsolatedPluginTest, ServesAForkedChildWithAProcessOfItsOwn) {
  ASSERT_EQ(LoadPlugin("testdata/posix.so", Options()).status,
            absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("posix");
  const std::string uri = "posix://" + NewPath("forked");
  ASSERT_EQ(WriteWholeFile(*file_system, uri, "x"), absl::OkStatus());
  const auto file = file_system->NewRandomAccessFile(uri);
  ASSERT_EQ(file.status(), absl::OkStatus());
  const pid_t child = fork();
  if (child == 0) {
    char byte;
    const bool open_is_lost =
        absl::IsUnavailable((*file)->Read(0, 1, &byte).status());
    const bool works = file_system->FileExists(uri).ok();
    _exit(open_is_lost && works ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  char byte;
  EXPECT_EQ(*(*file)->Read(0, 1, &byte), 1);  // the parent's goes on
  EXPECT_EQ(ChildProcesses().size(), 1);
}

// The child has had no process, so its first one is no restart.
TEST_F(IsolatedPluginTest, ServesAForkedChildWithoutRestarts) {
  LoadOptions options = Options();
  options.isolation->restarts = 0;
  ASSERT_EQ(LoadPlugin("testdata/posix.so", options).status, absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("posix");
  const pid_t child = fork();
  if (child == 0) _exit(file_system->FileExists("posix:///").ok() ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// NOT_FOUND would mean that there is no such file.
TEST_F(IsolatedPluginTest, IsUnavailableWhereItsProgramIsMissing) {
  LoadOptions options = Options();
  options.isolation->worker =
      FreshCopy(FindWorkerProgram("", CopyOfEnvironment())->path);
  std::filesystem::permissions(options.isolation->worker,
                               std::filesystem::perms::owner_all);
  ASSERT_EQ(LoadPlugin("testdata/posix.so", options).status, absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("posix");
  ASSERT_EQ(file_system->FileExists("posix:///"), absl::OkStatus());
  std::filesystem::remove(options.isolation->worker);
  KillWorker();
  const absl::Status status = file_system->FileExists("posix:///");
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("SIGKILL (killed); no other could be started: "));
  EXPECT_THAT(std::string(status.message()),
              HasSubstr(options.isolation->worker));
}

TEST_F(IsolatedPluginTest, StartsAgainWhenTheProgramHasChangedItsDirectory) {
  const std::string before = std::filesystem::current_path();
  ASSERT_EQ(LoadPlugin("testdata/posix.so", Options()).status,
            absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("posix");
  KillWorker();
  std::filesystem::current_path("/");
  EXPECT_EQ(file_system->FileExists("posix:///"), absl::OkStatus());
  std::filesystem::current_path(before);
}

TEST_F(IsolatedPluginTest, StaysStoppedAfterACrash) {
  StopSource source;
  LoadOptions options = Options();
  options.isolation->stop = source.token();
  options.isolation->restarts = 0;
  ASSERT_EQ(LoadPlugin("testdata/posix.so", options).status, absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("posix");
  KillWorker();
  source.RequestStop();
  const absl::Status status = file_system->FileExists("posix:///");
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_EQ(ChildProcesses().size(), 0);
}

class ConfiguredPluginTest : public IsolatedPluginTest {
 protected:
  // Sets all options, and then the first one three times.
  void SetUp() override {
    ASSERT_EQ(LoadPlugin("testdata/memory.so", Options()).status,
              absl::OkStatus());
    file_system_ = *registry_.Find("memory");
    options_ = *file_system_->GetFilesystemConfiguration();
    ASSERT_EQ(options_.size(), 3);
    options_[2].values = std::vector<std::string>{"set"};
    ASSERT_EQ(file_system_->SetFilesystemConfiguration(options_),
              absl::OkStatus());
    for (const int64_t value : {3, 5, 4}) {
      options_[0].values = std::vector<int64_t>{value};
      ASSERT_EQ(file_system_->SetFilesystemConfigurationOption(options_[0]),
                absl::OkStatus());
    }
  }

  bool IsConfigured() const {
    const auto found = file_system_->GetFilesystemConfiguration();
    if (!found.ok() || found->size() != options_.size()) return false;
    for (size_t i = 0; i < options_.size(); ++i) {
      if ((*found)[i].values != options_[i].values) return false;
    }
    return true;
  }

  FileSystemPtr file_system_;
  std::vector<ConfigurationOption> options_;
};

TEST_F(ConfiguredPluginTest, IsConfiguredWhenItStartsAgain) {
  KillWorker();
  EXPECT_TRUE(IsConfigured());
}

TEST_F(ConfiguredPluginTest, IsConfiguredInAForkedChild) {
  const pid_t child = fork();
  if (child == 0) _exit(IsConfigured() ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(IsolatedPluginTest, IsTheSameFileWhenItStartsAgain) {
  const std::string path = FreshCopy("testdata/posix.so");
  ASSERT_EQ(LoadPlugin(path, Options()).status, absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("posix");
  WriteFile(path, ReadFile("testdata/memory.so"));
  KillWorker();
  const absl::Status status = file_system->FileExists("posix:///");
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("no other could be started"));
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("since it was loaded first"));
}

TEST_F(IsolatedPluginTest, StartsAgainThoughItsFileGotALinkAndAnotherMode) {
  const std::string path = FreshCopy("testdata/posix.so");
  ASSERT_EQ(LoadPlugin(path, Options()).status, absl::OkStatus());
  std::filesystem::create_hard_link(path, path + ".link");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  std::filesystem::rename(path, path + ".away");
  std::filesystem::rename(path + ".away", path);
  KillWorker();
  EXPECT_EQ((*registry_.Find("posix"))->FileExists("posix:///"),
            absl::OkStatus());
}

// As from two wheels of one size, whose files have the times of the sources.
TEST_F(IsolatedPluginTest, DoesNotStartAgainFromAFileThatTookTheOldOnesPlace) {
  const std::string path = FreshCopy("testdata/posix.so");
  const std::string other = FreshCopy("testdata/posix.so");
  std::filesystem::last_write_time(other,
                                   std::filesystem::last_write_time(path));
  ASSERT_EQ(LoadPlugin(path, Options()).status, absl::OkStatus());
  std::filesystem::rename(other, path);
  KillWorker();
  const absl::Status status =
      (*registry_.Find("posix"))->FileExists("posix:///");
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("since it was loaded first"));
}

// Returns whether the process with this number runs; one that nobody has
// waited for yet does not.
bool Runs(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string word;
  for (int i = 0; i < 3 && stat >> word; ++i) continue;
  return stat.good() && word != "Z" && word != "X";
}

// Waits until the process has ended, at most for `time`. Returns whether it
// has.
bool EndsWithin(pid_t process, absl::Duration time) {
  const absl::Time end = absl::Now() + time;
  while (Runs(process) && absl::Now() < end) {
    absl::SleepFor(absl::Milliseconds(1));
  }
  return !Runs(process);
}

// A plugin that has started a process.
class ParentPluginTest : public IsolatedPluginTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(LoadPlugin("testdata/hostile_starts_a_child_entry.so", Options())
                  .status,
              absl::OkStatus());
    const std::vector<pid_t> started = ChildProcessesOf(ChildProcesses().at(0));
    ASSERT_EQ(started.size(), 1);
    child_ = started[0];
    ASSERT_TRUE(Runs(child_));
  }
  ~ParentPluginTest() override {
    if (Runs(child_)) kill(child_, SIGKILL);
  }

  pid_t child_ = 0;
};

TEST_F(ParentPluginTest, LeavesNoProcessWhenItsOwnIsKilled) {
  KillWorker();
  EXPECT_TRUE(EndsWithin(child_, kSoon));
}

TEST_F(ParentPluginTest, LeavesNoProcessWhenItsSchemeIsRetired) {
  ASSERT_EQ(registry_.RetireAll(), absl::OkStatus());
  EXPECT_TRUE(EndsWithin(child_, kSoon));
}

TEST_F(IsolatedPluginTest, EndsWithItsHost) {
  AwaitOneThread();
  for (int i = 0; i < NumberOfKills(10); ++i) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t host = fork();
    if (host == 0) {
      // Half of the time in the middle of a call.
      const char* const plugin = i % 2 == 0
                                     ? "testdata/hostile_hangs_children.so"
                                     : "testdata/posix.so";
      const absl::Status status = LoadPlugin(plugin, Options()).status;
      if (!status.ok()) {
        std::cerr << status << std::endl;
        _exit(1);
      }
      const pid_t worker = ChildProcesses().at(0);
      static_cast<void>(!write(ends[1], &worker, sizeof(worker)));
      if (i % 2 != 0) pause();
      static_cast<void>(
          (*registry_.Find("hostile"))->GetChildren("hostile:///deed"));
    }
    close(ends[1]);
    pid_t worker = 0;
    ASSERT_EQ(read(ends[0], &worker, sizeof(worker)), sizeof(worker));
    EXPECT_TRUE(Runs(worker));
    kill(host, SIGKILL);
    ASSERT_EQ(waitpid(host, nullptr, 0), host);
    EXPECT_TRUE(EndsWithin(worker, kAfterHost));
    close(ends[0]);
  }
}

}  // namespace
}  // namespace fsload
