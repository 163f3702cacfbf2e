#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "absl/base/config.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/system/descriptor.h"
#include "core/tables/operations.h"
#include "fsload/by_uri.h"
#include "fsload/configuration.h"
#include "fsload/log_sink.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "fsload/whole_file.h"
#include "loader/confinement/confinement.h"
#include "loader/isolation/worker_program.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_processes.h"
#include "third_party/fmt/format.h"

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

class IsolatedPlugin : public testing::Test {
 protected:
  ~IsolatedPlugin() override {
    EXPECT_EQ(registry_.RetireAll(), absl::OkStatus());
  }

  LoadOptions Options() {
    LoadOptions options;
    options.registry = &registry_;
    options.isolation.emplace();
    return options;
  }

  SchemeRegistry registry_;
};

// Kills the worker and waits until that is known: the thread that watches it
// then ends.
void KillWorker() {
  kill(ChildProcesses().at(0), SIGKILL);
  AwaitOneThread();
}

TEST_F(IsolatedPlugin, ReadsAndWritesInAProcessOfItsOwn) {
  const LoadReport report = LoadPlugin("testdata/posix.so", Options());
  ASSERT_EQ(report.status, absl::OkStatus());
  EXPECT_EQ(ChildProcesses().size(), 1);
  const FileSystemPtr file_system = *registry_.Find("posix");
  const std::string path = NewPath("isolated");
  const std::string uri = "posix://" + path;
  for (const size_t bytes :
       {size_t{0}, size_t{1}, size_t{65536}, size_t{70000}, size_t{5} << 20}) {
    std::string contents(bytes, 'x');
    for (size_t i = 0; i < bytes; i += 997) contents[i] = static_cast<char>(i);
    EXPECT_EQ(WriteWholeFile(*file_system, uri, contents), absl::OkStatus());
    EXPECT_EQ(ReadFile(path), contents) << bytes;
    EXPECT_EQ(*ReadWholeFile(*file_system, uri), contents) << bytes;
  }
  EXPECT_EQ(file_system->Stat(uri)->length, 5 << 20);
  EXPECT_TRUE(absl::IsNotFound(file_system->Stat(uri + ".not").status()));
}

TEST_F(IsolatedPlugin, LeavesNothing) {
  const size_t before = CountOpenDescriptors();
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(LoadPlugin("testdata/memory.so", Options()).status,
              absl::OkStatus());
    ASSERT_EQ(registry_.RetireAll(), absl::OkStatus());
    EXPECT_EQ(ChildProcesses().size(), 0);
    EXPECT_EQ(CountOpenDescriptors(), before);
  }
}

TEST_F(IsolatedPlugin, HasAllOperationsOfThePlugin) {
  const LoadReport isolated = LoadPlugin("testdata/memory.so", Options());
  ASSERT_EQ(isolated.status, absl::OkStatus());
  SchemeRegistry inside;
  LoadOptions options;
  options.registry = &inside;
  const LoadReport report = LoadPlugin("testdata/memory.so", options);
  ASSERT_EQ(report.status, absl::OkStatus());
  ASSERT_EQ(isolated.schemes.size(), report.schemes.size());
  for (size_t i = 0; i < report.schemes.size(); ++i) {
    EXPECT_EQ(isolated.schemes[i].scheme, report.schemes[i].scheme);
    EXPECT_EQ(isolated.schemes[i].present, report.schemes[i].present);
    EXPECT_EQ(isolated.schemes[i].registered, report.schemes[i].registered);
  }
  EXPECT_EQ(inside.RetireAll(), absl::OkStatus());
}

TEST_F(IsolatedPlugin, SurvivesACrash) {
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

TEST_F(IsolatedPlugin, StartsAnewProcessAfterAKill) {
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

TEST_F(IsolatedPlugin, EndsACallThatHangs) {
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

TEST_F(IsolatedPlugin, StartsNoMoreThanAllowed) {
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
};

class Deed : public IsolatedPlugin,
             public testing::WithParamInterface<DeedCase> {};

TEST_P(Deed, EndsACallAndNothingElse) {
  LoadOptions options = Options();
  options.isolation->call_timeout = GetParam().call_timeout;
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
        DeedCase{"hangs", absl::StatusCode::kDeadlineExceeded,
                 "no answer within", kHang}));

// --- Loads that end the process, or never end ---

class DeedOfLoad : public IsolatedPlugin,
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

TEST_F(IsolatedPlugin, CanBeStopped) {
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

TEST_F(IsolatedPlugin, ServesAForkedChildWithAProcessOfItsOwn) {
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
TEST_F(IsolatedPlugin, ServesAForkedChildWithoutRestarts) {
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
TEST_F(IsolatedPlugin, IsUnavailableWhereItsProgramIsMissing) {
  LoadOptions options = Options();
  options.isolation->worker = FreshCopy(FindWorkerProgram("")->path);
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

TEST_F(IsolatedPlugin, StartsAgainWhenTheProgramHasChangedItsDirectory) {
  const std::string before = std::filesystem::current_path();
  ASSERT_EQ(LoadPlugin("testdata/posix.so", Options()).status,
            absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("posix");
  KillWorker();
  std::filesystem::current_path("/");
  EXPECT_EQ(file_system->FileExists("posix:///"), absl::OkStatus());
  std::filesystem::current_path(before);
}

TEST_F(IsolatedPlugin, StaysStoppedAfterACrash) {
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

TEST_F(IsolatedPlugin, HasAnEnvironmentOfItsOwn) {
  ASSERT_EQ(setenv("FSLOAD_TEST_LOG", "/dev/null", 1), 0);
  const std::string log = NewPath("log");
  LoadOptions options = Options();
  options.isolation->environment["FSLOAD_TEST_LOG"] = log;
  ASSERT_EQ(LoadPlugin("testdata/linking/named.so", options).status,
            absl::OkStatus());
  EXPECT_NE(ReadFile(log), "");
  EXPECT_STREQ(getenv("FSLOAD_TEST_LOG"), "/dev/null");
  unsetenv("FSLOAD_TEST_LOG");
}

TEST_F(IsolatedPlugin, KeepsItsEnvironmentWhenItStartsAgain) {
  const std::string log = NewPath("log");
  const std::string other = NewPath("other log");
  ASSERT_EQ(setenv("FSLOAD_TEST_LOG", log.c_str(), 1), 0);
  ASSERT_EQ(LoadPlugin("testdata/linking/named.so", Options()).status,
            absl::OkStatus());
  const std::string once = ReadFile(log);
  ASSERT_EQ(setenv("FSLOAD_TEST_LOG", other.c_str(), 1), 0);
  KillWorker();
  const std::string scheme = registry_.Schemes().at(0);
  const FileSystemPtr file_system = *registry_.Find(scheme);
  EXPECT_FALSE(absl::IsUnavailable(file_system->FileExists(scheme + "://x/y")));
  EXPECT_GT(ReadFile(log).size(), once.size());
  EXPECT_NE(access(other.c_str(), F_OK), 0);
  unsetenv("FSLOAD_TEST_LOG");
}

// A terminal would interpret it.
TEST_F(IsolatedPlugin, LogsWhatItPrintsWithoutEscapeSequences) {
  static auto* const lines = new std::string;
  const LogTarget before =
      SetLogTarget({[](const LogRecord& record, void* all) {
                      static_cast<std::string*>(all)->append(record.message);
                    },
                    lines});
  ASSERT_EQ(
      LoadPlugin("testdata/hostile_prints_a_line_entry.so", Options()).status,
      absl::OkStatus());
  ASSERT_EQ(registry_.RetireAll(), absl::OkStatus());
  AwaitOneThread();  // the one that logs
  SetLogTarget(before);
  EXPECT_THAT(*lines, HasSubstr("a \\x1b[31mred\\x1b[0m line"));
}

class ConfiguredPlugin : public IsolatedPlugin {
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

TEST_F(ConfiguredPlugin, IsConfiguredWhenItStartsAgain) {
  KillWorker();
  EXPECT_TRUE(IsConfigured());
}

TEST_F(ConfiguredPlugin, IsConfiguredInAForkedChild) {
  const pid_t child = fork();
  if (child == 0) _exit(IsConfigured() ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(IsolatedPlugin, IsRefusedWithItsFindings) {
  LoadOptions options = Options();
  const LoadReport isolated =
      LoadPlugin("testdata/broken_wrong_abi.so", options);
  options.isolation.reset();
  const LoadReport report = LoadPlugin("testdata/broken_wrong_abi.so", options);
  EXPECT_FALSE(isolated.status.ok());
  EXPECT_EQ(isolated.status, report.status);
  ASSERT_EQ(isolated.findings.size(), report.findings.size());
  for (size_t i = 0; i < report.findings.size(); ++i) {
    EXPECT_EQ(ToString(isolated.findings[i]), ToString(report.findings[i]));
  }
}

TEST_F(IsolatedPlugin, CanBeLoadedFromBytes) {
  const std::string bytes = ReadFile("testdata/memory.so");
  ASSERT_EQ(LoadPluginFromBytes("memory", bytes, Options()).status,
            absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("memory");
  EXPECT_EQ(WriteWholeFile(*file_system, "memory:///f", "x"), absl::OkStatus());
}

TEST_F(IsolatedPlugin, IsTheSameFileWhenItStartsAgain) {
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

TEST_F(IsolatedPlugin, OptionsThatContradictEachOtherAreRefused) {
  LoadOptions options = Options();
  options.scheme_as = {{"posix", "no scheme"}};
  EXPECT_TRUE(
      absl::IsInvalidArgument(LoadPlugin("testdata/posix.so", options).status));
  options.scheme_as = {{"s4", "mine"}};
  const absl::Status status = LoadPlugin("testdata/posix.so", options).status;
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("has no scheme 's4'"));
  options.scheme_as = {{"posix", "mine"}};
  options.isolation.reset();
  EXPECT_TRUE(
      absl::IsInvalidArgument(LoadPlugin("testdata/posix.so", options).status));
}

// Whether a process of this number runs; one that nobody has waited for yet
// does not.
bool Runs(pid_t process) {
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  std::string word;
  for (int i = 0; i < 3 && stat >> word; ++i) continue;
  return stat.good() && word != "Z" && word != "X";
}

TEST_F(IsolatedPlugin, EndsWithItsHost) {
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
    const absl::Time end = absl::Now() + kAfterHost;
    while (Runs(worker) && absl::Now() < end) {
      absl::SleepFor(absl::Milliseconds(1));
    }
    EXPECT_FALSE(Runs(worker));
    close(ends[0]);
  }
}

TEST_F(IsolatedPlugin, HasNoMoreMemoryThanAllowed) {
  LoadOptions options = Options();
  options.isolation->memory_limit = uint64_t{1} << 30;
  options.isolation->call_timeout = absl::Seconds(20);
  const absl::Status status =
      LoadPlugin("testdata/hostile_eats_memory_entry.so", options).status;
  EXPECT_FALSE(status.ok());
  EXPECT_FALSE(absl::IsDeadlineExceeded(status)) << status;
}

#ifndef ABSL_HAVE_ADDRESS_SANITIZER  // which needs descriptors itself
// With temporary files in a directory of the test's own. The tests are skipped
// where the system cannot confine.
class ConfinedPlugin : public IsolatedPlugin {
 protected:
  void SetUp() override {
    if (!UnavailableConfinement().empty()) GTEST_SKIP() << "no confinement";
    mkdir(temporary_.c_str(), 0700);
    setenv("TMPDIR", temporary_.c_str(), 1);
  }
  ~ConfinedPlugin() override { unsetenv("TMPDIR"); }

  LoadOptions Options() {
    LoadOptions options = IsolatedPlugin::Options();
    options.isolation->confined = true;
    return options;
  }

  // The workers' own directories.
  std::vector<std::string> Scratch() const {
    std::vector<std::string> paths;
    for (const auto& each : std::filesystem::directory_iterator(temporary_)) {
      paths.push_back(each.path());
    }
    return paths;
  }

  const std::string temporary_ = NewPath("temporary");
};

TEST_F(ConfinedPlugin, WritesOnlyWhereItMay) {
  const std::string allowed = NewPath("allowed");
  const std::string other = NewPath("other");
  WriteFile(allowed + "/old", "old");
  WriteFile(other + "/old", "old");
  LoadOptions options = Options();
  options.isolation->writable_folders = {allowed};
  ASSERT_EQ(LoadPlugin("testdata/posix.so", options).status, absl::OkStatus());
  const FileSystemPtr posix = *registry_.Find("posix");
  EXPECT_EQ(WriteWholeFile(*posix, "posix://" + allowed + "/new", "x"),
            absl::OkStatus());
  EXPECT_EQ(posix->RenameFile("posix://" + allowed + "/old",
                              "posix://" + allowed + "/older"),
            absl::OkStatus());
  EXPECT_EQ(posix->CreateDir("posix://" + allowed + "/folder"),
            absl::OkStatus());
  EXPECT_EQ(*ReadWholeFile(*posix, "posix://" + other + "/old"), "old");
  const std::string scratch = Scratch().at(0);
  EXPECT_EQ(WriteWholeFile(*posix, "posix://" + scratch + "/new", "x"),
            absl::OkStatus());
  for (const absl::Status& status :
       {WriteWholeFile(*posix, "posix://" + other + "/new", "x"),
        WriteWholeFile(*posix, "posix://" + other + "/old", "x"),
        posix->DeleteFile("posix://" + other + "/old"),
        posix->RenameFile("posix://" + other + "/old",
                          "posix://" + allowed + "/taken"),
        posix->CreateDir("posix://" + other + "/folder")}) {
    EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
  }
  EXPECT_EQ(ReadFile(other + "/old"), "old");
  const absl::Status refused = posix->CreateDir("posix://" + other + "/new");
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("; the plugin is confined and writes local files to "));
}

TEST_F(ConfinedPlugin, HasADirectoryThatEndsWithItsProcess) {
  ASSERT_EQ(LoadPlugin("testdata/memory.so", Options()).status,
            absl::OkStatus());
  const std::vector<std::string> first = Scratch();
  ASSERT_EQ(first.size(), 1);
  WriteFile(first[0] + "/folder/file", "x");
  const pid_t child = fork();
  if (child == 0) {
    const bool works =
        (*registry_.Find("memory"))->FileExists("memory:///").ok();
    const size_t folders = Scratch().size();
    static_cast<void>(registry_.RetireAll());
    _exit(works && folders == 2 && Scratch() == first ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Scratch(), first);
  KillWorker();
  EXPECT_TRUE(
      absl::IsNotFound((*registry_.Find("memory"))->FileExists("memory:///f")));
  ASSERT_EQ(Scratch().size(), 1);
  EXPECT_NE(Scratch(), first);
  EXPECT_EQ(registry_.RetireAll(), absl::OkStatus());
  EXPECT_TRUE(Scratch().empty());
}

class DeedOfConfined : public ConfinedPlugin,
                       public testing::WithParamInterface<const char*> {};

TEST_P(DeedOfConfined, IsRefused) {
  const std::string folder = NewPath("outside");
  WriteFile(folder + "/present", "");
  LoadOptions options = Options();
  options.isolation->environment["FSLOAD_TEST_FOLDER"] = folder;
  const LoadReport report =
      LoadPlugin(Format("testdata/hostile_{}_entry.so", GetParam()), options);
  EXPECT_EQ(report.status, absl::OkStatus());
  EXPECT_NE(access((folder + "/written").c_str(), F_OK), 0);
}

INSTANTIATE_TEST_SUITE_P(Confined, DeedOfConfined,
                         testing::Values("executes", "kills_parent",
                                         "limits_parent", "writes_outside"),
                         [](const auto& deed) { return deed.param; });

TEST_F(ConfinedPlugin, IsNotLoadedIfItCannotBeConfinedAsAsked) {
  LoadOptions options = Options();
  options.isolation->writable_folders = {"/no/such/folder"};
  absl::Status status = LoadPlugin("testdata/memory.so", options).status;
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("/no/such/folder: a plugin cannot be allowed to write "
                        "there"));
  options.isolation->confined = false;
  options.isolation->writable_folders = {"/tmp"};
  status = LoadPlugin("testdata/memory.so", options).status;
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  setenv("TMPDIR", "/no/such/folder", 1);
  options = Options();
  status = LoadPlugin("testdata/memory.so", options).status;
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("TMPDIR"));
  EXPECT_TRUE(Scratch().empty());
}

TEST_F(IsolatedPlugin, FailsToLoadWithTooFewDescriptors) {
  constexpr rlim_t kMost = 48;
  const size_t before = CountOpenDescriptors();
  rlimit unlimited;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &unlimited), 0);
  int failed = 0;
  absl::Status last;
  for (rlim_t few = before; few <= before + kMost; ++few) {
    const rlimit limit = {few, unlimited.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    last = LoadPlugin("testdata/posix.so", Options()).status;
    const absl::Status retired = registry_.RetireAll();
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &unlimited), 0);
    EXPECT_EQ(retired, absl::OkStatus());
    EXPECT_NE(last.code(), absl::StatusCode::kInternal) << last;
    EXPECT_EQ(ChildProcesses().size(), 0);
    EXPECT_EQ(CountOpenDescriptors(), before) << few;
    if (!last.ok()) ++failed;
  }
  EXPECT_GT(failed, 0);
  EXPECT_EQ(last, absl::OkStatus());
}
#endif

TEST_F(IsolatedPlugin, ReadsMoreThanASlotKeeps) {
  ASSERT_EQ(LoadPlugin("testdata/posix.so", Options()).status,
            absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("posix");
  const std::string uri = "posix://" + NewPath("large");
  const std::string contents(size_t{65} << 20, 'x');
  ASSERT_EQ(WriteWholeFile(*file_system, uri, contents), absl::OkStatus());
  const auto file = file_system->NewRandomAccessFile(uri);
  ASSERT_EQ(file.status(), absl::OkStatus());
  std::string read(contents.size(), ' ');
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(*(*file)->Read(0, read.size(), read.data()), read.size());
    EXPECT_EQ(read, contents);
  }
}

TEST_F(IsolatedPlugin, HasOtherNames) {
  LoadOptions options = Options();
  options.scheme_as = {{"memory", "other"}};
  const LoadReport report = LoadPlugin("testdata/memory.so", options);
  ASSERT_EQ(report.status, absl::OkStatus());
  EXPECT_EQ(registry_.Schemes(), std::vector<std::string>{"other"});
  const FileSystemPtr file_system = *registry_.Find("other");
  ASSERT_EQ(file_system->CreateDir("other:///d"), absl::OkStatus());
  ASSERT_EQ(WriteWholeFile(*file_system, "other:///d/f", "x"),
            absl::OkStatus());
  EXPECT_EQ(*file_system->GetMatchingPaths("other:///d/*"),
            std::vector<std::string>{"other:///d/f"});
}

}  // namespace
}  // namespace fsload
