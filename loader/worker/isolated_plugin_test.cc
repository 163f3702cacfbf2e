#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/config.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/calls/missing_function.h"
#include "core/paths/scheme_names.h"
#include "core/system/descriptor.h"
#include "core/tables/operations.h"
#include "fsload/by_uri.h"
#include "fsload/log_sink.h"
#include "fsload/op_observer.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "fsload/whole_file.h"
#include "loader/loading/loaded_plugins.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_processes.h"
#include "loader/worker/isolated_plugin_fixture.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using testing::HasSubstr;

TEST_F(IsolatedPluginTest, ReadsAndWritesInAProcessOfItsOwn) {
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

TEST_F(IsolatedPluginTest, LeavesNothing) {
  const size_t before = CountOpenDescriptors();
  size_t mappings = 0;  // the first load's sealed tables stay
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(LoadPlugin("testdata/memory.so", Options()).status,
              absl::OkStatus());
    ASSERT_EQ(registry_.RetireAll(), absl::OkStatus());
    EXPECT_EQ(ChildProcesses().size(), 0);
    EXPECT_EQ(CountOpenDescriptors(), before);
    if (i == 0) mappings = CountMappedMemoryFiles();
    EXPECT_EQ(CountMappedMemoryFiles(), mappings);
  }
}

TEST_F(IsolatedPluginTest, FindsItsSchemeTakenByItsFirstLoad) {
  ASSERT_EQ(LoadPlugin("testdata/memory.so", Options()).status,
            absl::OkStatus());
  const LoadReport again = LoadPlugin("testdata/memory.so", Options());
  EXPECT_TRUE(absl::IsAlreadyExists(again.status)) << again.status;
  ASSERT_EQ(again.schemes.size(), 1);
  EXPECT_FALSE(again.schemes[0].registered);
  EXPECT_EQ(ChildProcesses().size(), 1);
}

TEST_F(IsolatedPluginTest, HasAllOperationsOfThePlugin) {
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

TEST_F(IsolatedPluginTest, HasAnEnvironmentOfItsOwn) {
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

TEST_F(IsolatedPluginTest, KeepsItsEnvironmentWhenItStartsAgain) {
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

// A load in this process sets variables.
TEST_F(IsolatedPluginTest, CopiesTheEnvironmentWhileNoLoadChangesIt) {
  const std::string log = NewPath("log");
  LoadReport report;
  std::thread loading;
  {
    const LoadLock of_another_load;
    loading = std::thread(
        [&] { report = LoadPlugin("testdata/linking/named.so", Options()); });
    absl::SleepFor(absl::Milliseconds(100));
    ASSERT_EQ(setenv("FSLOAD_TEST_LOG", log.c_str(), 1), 0);
  }
  loading.join();
  ASSERT_EQ(report.status, absl::OkStatus());
  EXPECT_NE(ReadFile(log), "");
  unsetenv("FSLOAD_TEST_LOG");
}

// A terminal would interpret it.
TEST_F(IsolatedPluginTest, LogsWhatItPrintsWithoutEscapeSequences) {
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
  EXPECT_THAT(*lines, HasSubstr("hostile_prints_a_line_entry.so: a "
                                "\\x1b[31mred\\x1b[0m line"));
}

TEST_F(IsolatedPluginTest, LogsEachLineOfThePluginWithItsLevel) {
  static auto* const fatal = new std::vector<std::string>;
  const LogTarget before = SetLogTarget(
      {[](const LogRecord& record, void* lines) {
         if (record.level != TF_FATAL) return;
         static_cast<std::vector<std::string>*>(lines)->emplace_back(
             record.message);
       },
       fatal});
  ASSERT_EQ(LoadPlugin("testdata/deviant_fatal_log.so", Options()).status,
            absl::OkStatus());
  EXPECT_TRUE(absl::IsNotFound(
      (*registry_.Find("deviant"))->FileExists("deviant:///a\nb")));
  ASSERT_EQ(registry_.RetireAll(), absl::OkStatus());
  AwaitOneThread();  // the one that logs
  SetLogTarget(before);
  ASSERT_GE(fatal->size(), 2);
  EXPECT_EQ(fatal->at(0), "testdata/deviant_fatal_log.so: no way to go on: /a");
  EXPECT_EQ(fatal->at(1), "testdata/deviant_fatal_log.so: b");
}

TEST_F(IsolatedPluginTest, IsRefusedWithItsFindings) {
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

// An operation without a status throws it.
TEST_F(IsolatedPluginTest, TellsThatANameNeedsWhatIsMissing) {
  LoadOptions options = Options();
  options.stub_missing_functions = true;
  ASSERT_EQ(LoadPlugin("testdata/linking/missing_in_name.so", options).status,
            absl::OkStatus());
  const absl::Status status = (*registry_.Find("missinginname"))
                                  ->TranslateName("missinginname://a")
                                  .status();
  EXPECT_TRUE(IsMissingFunction(status)) << status;
}

TEST_F(IsolatedPluginTest, CanBeLoadedFromBytes) {
  const std::string bytes = ReadFile("testdata/memory.so");
  ASSERT_EQ(LoadPluginFromBytes("memory", bytes, Options()).status,
            absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("memory");
  EXPECT_EQ(WriteWholeFile(*file_system, "memory:///f", "x"), absl::OkStatus());
}

TEST_F(IsolatedPluginTest, OptionsThatContradictEachOtherAreRefused) {
  LoadOptions options = Options();
  options.scheme_as = {{"posix", "no scheme"}};
  EXPECT_TRUE(
      absl::IsInvalidArgument(LoadPlugin("testdata/posix.so", options).status));
  options.scheme_as = {{"s4", "mine"}};
  const absl::Status status = LoadPlugin("testdata/posix.so", options).status;
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("has no scheme 's4'"));
  options.scheme_as = {};
  for (const int seconds : {0, -1}) {
    options.isolation->call_timeout = absl::Seconds(seconds);
    EXPECT_TRUE(absl::IsInvalidArgument(
        LoadPlugin("testdata/posix.so", options).status));
  }
  options.scheme_as = {{"posix", "mine"}};
  options.isolation.reset();
  EXPECT_TRUE(
      absl::IsInvalidArgument(LoadPlugin("testdata/posix.so", options).status));
}

TEST_F(IsolatedPluginTest, HasNoMoreMemoryThanAllowed) {
  LoadOptions options = Options();
  options.isolation->memory_limit = uint64_t{1} << 30;
  options.isolation->call_timeout = absl::Seconds(20);
  const absl::Status status =
      LoadPlugin("testdata/hostile_eats_memory_entry.so", options).status;
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(
      std::string(status.message()),
      HasSubstr("; memory_limit allows the plugin's process 1073741824 bytes"));
  EXPECT_FALSE(absl::IsDeadlineExceeded(status)) << status;
}

// Returns the rights of the mapping that has this address: "r--s".
std::string RightsAt(const void* address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    char rights[5] = "";
    if (std::sscanf(line.c_str(), "%zx-%zx %4s", &begin, &end, rights) == 3 &&
        begin <= reinterpret_cast<uintptr_t>(address) &&
        reinterpret_cast<uintptr_t>(address) < end) {
      return rights;
    }
  }
  return "";
}

TEST_F(IsolatedPluginTest, HasReadOnlyMemoryRegionsThatOutliveTheWorker) {
  ASSERT_EQ(LoadPlugin("testdata/memory.so", Options()).status,
            absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("memory");
  const std::string contents(100'000, 'x');
  ASSERT_EQ(WriteWholeFile(*file_system, "memory:///f", contents),
            absl::OkStatus());
  const auto region =
      file_system->NewReadOnlyMemoryRegionFromFile("memory:///f");
  ASSERT_EQ(region.status(), absl::OkStatus());
  const auto read = [&region] {
    return std::string(static_cast<const char*>((*region)->data()),
                       (*region)->length());
  };
  EXPECT_EQ(read(), contents);
  EXPECT_EQ(RightsAt((*region)->data()), "r--s");
  KillWorker();
  EXPECT_EQ(read(), contents);
}

TEST_F(IsolatedPluginTest, HasNoneOfTheProgramsDescriptors) {
  const std::string path = NewPath("open");
  WriteFile(path, "");
  const Descriptor open_here(open(path.c_str(), O_RDONLY));  // for children too
  ASSERT_EQ(LoadPlugin("testdata/memory.so", Options()).status,
            absl::OkStatus());
  const std::string folder = Format("/proc/{}/fd", ChildProcesses().at(0));
  int descriptors = 0;
  for (const auto& each : std::filesystem::directory_iterator(folder)) {
    ++descriptors;
    EXPECT_NE(std::filesystem::read_symlink(each.path()),
              std::filesystem::canonical(path));
  }
  EXPECT_GE(descriptors, 4);
}

TEST_F(IsolatedPluginTest, ReadsMoreThanASlotKeeps) {
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

// Returns how many bytes of memory this process shares with workers.
uint64_t SharedBytes() {
  std::ifstream maps("/proc/self/maps");
  uint64_t bytes = 0;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    if (line.find("/memfd:fsload-isolation") != std::string::npos &&
        std::sscanf(line.c_str(), "%zx-%zx", &begin, &end) == 2) {
      bytes += end - begin;
    }
  }
  return bytes;
}

TEST_F(IsolatedPluginTest, KeepsLittleMemoryAfterManyLargeReads) {
  ASSERT_EQ(LoadPlugin("testdata/posix.so", Options()).status,
            absl::OkStatus());
  const FileSystemPtr file_system = *registry_.Find("posix");
  const std::string path = NewPath("large");
  WriteFile(path, std::string(size_t{16} << 20, 'x'));
  const auto file = file_system->NewRandomAccessFile("posix://" + path);
  ASSERT_EQ(file.status(), absl::OkStatus());
  const uint64_t before = SharedBytes();
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      std::string read(size_t{16} << 20, ' ');
      for (int j = 0; j < 4; ++j) {
        EXPECT_EQ(*(*file)->Read(0, read.size(), read.data()), read.size());
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_LE(SharedBytes() - before, size_t{64} << 20);
}

TEST_F(IsolatedPluginTest, HasOtherNames) {
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

TEST_F(IsolatedPluginTest, MayHaveANameThatAFailedLoadWanted) {
  LoadOptions options = Options();
  options.scheme_as = {{"memory", "wanted"}};
  options.wrap = [](FileSystemPtr) -> absl::StatusOr<FileSystemPtr> {
    return absl::InternalError("cannot be wrapped");
  };
  EXPECT_THAT(
      std::string(LoadPlugin("testdata/memory.so", options).status.message()),
      HasSubstr("cannot be wrapped"));
  options.scheme_as = {{"posix", "wanted"}};
  options.wrap = nullptr;
  EXPECT_EQ(LoadPlugin("testdata/posix.so", options).status, absl::OkStatus());
  EXPECT_EQ(registry_.RetireAll(), absl::OkStatus());
  RemoveSchemeName("wanted");  // for a repetition of this test
}

TEST_F(IsolatedPluginTest, KeepsNoNameAfterAnExceptionOfTheWrapper) {
  LoadOptions options = Options();
  options.scheme_as = {{"memory", "thrown"}};
  options.wrap = [](FileSystemPtr) -> absl::StatusOr<FileSystemPtr> {
    throw std::range_error("cannot be wrapped");
  };
  EXPECT_THROW(LoadPlugin("testdata/memory.so", options), std::range_error);
  EXPECT_FALSE(HasSchemeName("thrown"));
}

TEST_F(IsolatedPluginTest, HasNoNameOfAnotherScheme) {
  LoadOptions options = Options();
  options.scheme_as = {{"posix", "first.store"}};
  ASSERT_EQ(LoadPlugin("testdata/posix.so", options).status, absl::OkStatus());
  EXPECT_EQ(registry_.Retire("first.store"), absl::OkStatus());
  options.scheme_as = {{"memory", "first.store"}};
  const absl::Status status = LoadPlugin("testdata/memory.so", options).status;
  EXPECT_TRUE(absl::IsAlreadyExists(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("'first.store' stands for another scheme in this "
                        "process, posix://"));
  EXPECT_TRUE(registry_.Schemes().empty());
  EXPECT_TRUE(ChildProcesses().empty());
}

TEST_F(IsolatedPluginTest, FindsItsSchemesTakenByItsFirstLoad) {
  LoadOptions options = Options();
  for (const bool is_wrapped : {false, true}) {
    if (is_wrapped) {
      options.wrap = [](FileSystemPtr file_system) { return file_system; };
    }
    ASSERT_EQ(LoadPlugin("testdata/memory.so", options).status,
              absl::OkStatus());
    const FileSystemPtr first = *registry_.Find("memory");
    ASSERT_EQ(first->CreateDir("memory:///d"), absl::OkStatus());
    // Its environment may be another one.
    const absl::Status second =
        LoadPlugin("testdata/memory.so", options).status;
    EXPECT_TRUE(absl::IsAlreadyExists(second)) << second;
    EXPECT_EQ(ChildProcesses().size(), 1);
    EXPECT_EQ(*registry_.Find("memory"), first);
    EXPECT_EQ(first->FileExists("memory:///d"), absl::OkStatus());
    ASSERT_EQ(registry_.Retire("memory"), absl::OkStatus());
  }
}

// Keeps the operations that it sees.
class SeenOps final : public OpObserver {
 public:
  void OnCall(const OpCall& call) override { ops.push_back(call.op); }

  std::vector<Op> ops;
};

TEST_F(IsolatedPluginTest, IsObservedInTheProgram) {
  static auto* const isolated = new SeenOps;
  static auto* const inside = new SeenOps;
  for (SeenOps* const observer : {isolated, inside}) {
    LoadOptions options = Options();
    if (observer == inside) options.isolation.reset();
    options.observer = observer;
    ASSERT_EQ(LoadPlugin("testdata/memory.so", options).status,
              absl::OkStatus());
    FileSystemPtr file_system = *registry_.Find("memory");
    ASSERT_EQ(WriteWholeFile(*file_system, "memory:///f", "x"),
              absl::OkStatus());
    EXPECT_EQ(*ReadWholeFile(*file_system, "memory:///f"), "x");
    file_system = nullptr;
    EXPECT_EQ(registry_.RetireAll(), absl::OkStatus());
  }
  EXPECT_THAT(isolated->ops,
              testing::Contains(Op::kFilesystem_new_writable_file));
  EXPECT_EQ(isolated->ops, inside->ops);
}

#ifndef ABSL_HAVE_ADDRESS_SANITIZER  // which needs descriptors itself
TEST_F(IsolatedPluginTest, FailsToLoadWithTooFewDescriptors) {
  constexpr rlim_t kMax = 48;
  const size_t before = CountOpenDescriptors();
  rlimit unlimited;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &unlimited), 0);
  int failed = 0;
  absl::Status last;
  for (rlim_t few = before; few <= before + kMax; ++few) {
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

}  // namespace
}  // namespace fsload
