// Workers that lie: no answer of theirs does more than fail a call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "fsload/configuration.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "fsload/stop_token.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_processes.h"
#include "loader/worker/lying_worker_host.h"

namespace fsload {
namespace {

using testing::HasSubstr;

constexpr absl::StatusCode kOk = absl::StatusCode::kOk;
constexpr absl::StatusCode kInternal = absl::StatusCode::kInternal;
constexpr absl::StatusCode kUnavailable = absl::StatusCode::kUnavailable;
constexpr absl::StatusCode kDeadline = absl::StatusCode::kDeadlineExceeded;

constexpr absl::Duration kShort = absl::Milliseconds(300);
constexpr absl::Duration kLong = absl::Minutes(1);  // for a slow machine

// A slow machine does not start a worker within kShort.
absl::Status LoadLying(const LoadOptions& options) {
  absl::Status status;
  for (int tries = 0; tries < 100; ++tries) {
    status = LoadPlugin("any.so", options).status;
    if (!absl::IsDeadlineExceeded(status)) break;
  }
  return status;
}

struct Case {
  const char* lie;
  absl::StatusCode code;  // of stat
  const char* text;       // part of its message
};

class LyingWorker : public testing::TestWithParam<Case> {};

TEST_P(LyingWorker, FailsTheCall) {
  SchemeRegistry registry;
  const absl::Duration call_timeout =
      GetParam().code == kDeadline ? kShort : kLong;
  ASSERT_EQ(LoadLying(OptionsFor(GetParam().lie, registry, call_timeout)),
            absl::OkStatus());
  const FileSystemPtr file_system = *registry.Find("lie");
  const absl::Time begin = absl::Now();
  const auto found = file_system->Stat("lie://f");
  EXPECT_LT(absl::Now() - begin, absl::Seconds(10));
  EXPECT_EQ(found.status().code(), GetParam().code) << found.status();
  EXPECT_THAT(std::string(found.status().message()),
              HasSubstr(GetParam().text));
}

TEST_P(LyingWorker, DoesNoHarmAndLeavesNothing) {
  SchemeRegistry registry;
  AwaitOneThread();  // of the case before
  const size_t descriptors = CountOpenDescriptors();
  const size_t mappings = CountMappedMemoryFiles();
  ASSERT_EQ(LoadLying(OptionsFor(GetParam().lie, registry, kShort)),
            absl::OkStatus());
  CallAll(**registry.Find("lie")).IgnoreError();
  EXPECT_EQ(registry.RetireAll(), absl::OkStatus());
  AwaitOneThread();
  EXPECT_EQ(ChildProcesses().size(), 0);
  EXPECT_EQ(CountOpenDescriptors(), descriptors);
  // The sealed tables of the scheme stay.
  EXPECT_LE(CountMappedMemoryFiles(), mappings + 1);
}

TEST(WideResult, IsNoNumberOfNames) {
  SchemeRegistry registry;
  ASSERT_EQ(LoadLying(OptionsFor("wide result", registry, kLong)),
            absl::OkStatus());
  const auto names = (*registry.Find("lie"))->GetChildren("lie://d");
  EXPECT_TRUE(absl::IsInternal(names.status())) << names.status();
  EXPECT_THAT(std::string(names.status().message()), HasSubstr("-2147483648"));
}

class FewFields : public testing::TestWithParam<const char*> {};

TEST_P(FewFields, AreNoOptions) {
  SchemeRegistry registry;
  ASSERT_EQ(LoadLying(OptionsFor(GetParam(), registry, kLong)),
            absl::OkStatus());
  const FileSystemPtr file_system = *registry.Find("lie");
  for (const absl::Status& status :
       {file_system->GetFilesystemConfiguration().status(),
        file_system->GetFilesystemConfigurationOption("o").status(),
        file_system->GetFilesystemConfigurationKeys().status()}) {
    EXPECT_TRUE(absl::IsInternal(status)) << status;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("with too few fields"));
  }
}

// Of the second, part of an option is taken before one is missing.
INSTANTIATE_TEST_SUITE_P(All, FewFields,
                         testing::Values("no fields", "short fields"));

TEST(ReadsMore, IsAnErrorOfThePlugin) {
  SchemeRegistry registry;
  ASSERT_EQ(LoadLying(OptionsFor("reads more", registry, kLong)),
            absl::OkStatus());
  const auto file = (*registry.Find("lie"))->NewRandomAccessFile("lie://f");
  ASSERT_EQ(file.status(), absl::OkStatus());
  std::string bytes(8, 'x');
  const absl::Status status = (*file)->Read(0, 4, bytes.data()).status();
  EXPECT_TRUE(absl::IsInternal(status)) << status;
  EXPECT_EQ(bytes[4], 'x');
}

// Otherwise it could keep the plugin's other scheme from starting again.
TEST(RetiredScheme, IsNotConfiguredAgain) {
  SchemeRegistry registry;
  ASSERT_EQ(
      LoadLying(OptionsFor("sets once " + NewPath("set"), registry, kLong)),
      absl::OkStatus());
  const ConfigurationOption option = {"o", "", false, std::vector<int64_t>{1}};
  ASSERT_EQ((*registry.Find("lie"))->SetFilesystemConfigurationOption(option),
            absl::OkStatus());
  ASSERT_EQ(registry.Retire("lie"), absl::OkStatus());
  kill(ChildProcesses().at(0), SIGKILL);
  AwaitOneThread();
  EXPECT_EQ((*registry.Find("lie.other"))->Stat("lie.other://f").status(),
            absl::OkStatus());
}

// The handle is the same for both files, and no address in this process.
TEST(WildHandle, IsNeverFollowed) {
  SchemeRegistry registry;
  ASSERT_EQ(LoadLying(OptionsFor("wild handle", registry, kLong)),
            absl::OkStatus());
  const FileSystemPtr file_system = *registry.Find("lie");
  auto closed = file_system->NewRandomAccessFile("lie://closed");
  ASSERT_EQ(closed.status(), absl::OkStatus());
  const auto file = file_system->NewRandomAccessFile("lie://f");
  ASSERT_EQ(file.status(), absl::OkStatus());
  closed->reset();
  char byte;
  const auto read = (*file)->Read(0, 1, &byte);
  ASSERT_EQ(read.status(), absl::OkStatus());
  EXPECT_EQ(*read, 0);
}

TEST(GivenLies, AreTold) {
  const absl::Status status =
      CallAllWith(ReadFile("testdata/fuzz/answers/an_error"));
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
}

TEST(GivenLies, DoNoHarm) {
  for (const auto& each :
       std::filesystem::directory_iterator("testdata/fuzz/answers")) {
    SCOPED_TRACE(each.path());
    CallAllWith(ReadFile(each.path())).IgnoreError();
  }
}

// The worker says the truth to the first calls, fewer or more of them.
TEST(RandomLies, DoNoHarm) {
  std::mt19937 random(20'261'129);
  for (int i = 0; i < 32; ++i) {
    std::string bytes(random() % 300, '\0');
    for (char& each : bytes) each = static_cast<char>(random());
    CallAllWith(std::string(i % 16, '\0') + bytes).IgnoreError();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, LyingWorker,
    testing::Values(Case{"", kOk, ""},
                    Case{"long fields", kInternal, "too long"},
                    Case{"other call", kInternal, "of another call"},
                    Case{"short fields", kInternal, "with too few fields"},
                    Case{"no fields", kInternal, "with too few fields"},
                    Case{"out of turn", kInternal, "out of turn"},
                    Case{"silent", kDeadline, "no answer within 300ms"},
                    Case{"late", kDeadline, "no answer within 300ms"},
                    Case{"twice", kOk, ""}, Case{"many names", kOk, ""},
                    Case{"many results", kOk, ""},
                    Case{"negative result", kOk, ""},
                    Case{"wide result", kOk, ""}, Case{"reads more", kOk, ""},
                    Case{"strange code", kInternal, "with too few fields"},
                    Case{"closes", kDeadline, "no answer"},
                    Case{"large lack", kInternal, "too long"},
                    Case{"twice lacking", kInternal, "of another length"},
                    Case{"small region", kOk, ""}, Case{"wild handle", kOk, ""},
                    Case{"shrinks", kUnavailable, "exit code 9"}));

struct StartCase {
  const char* lie;
  absl::StatusCode code;
  const char* text;
};

class LyingAtStart : public testing::TestWithParam<StartCase> {};

TEST_P(LyingAtStart, FailsTheLoad) {
  SchemeRegistry registry;
  AwaitOneThread();
  const size_t descriptors = CountOpenDescriptors();
  const absl::Status status =
      LoadPlugin("any.so", OptionsFor(GetParam().lie, registry, kLong)).status;
  AwaitOneThread();
  EXPECT_TRUE(registry.Schemes().empty());
  EXPECT_EQ(ChildProcesses().size(), 0);
  EXPECT_EQ(CountOpenDescriptors(), descriptors);
  EXPECT_EQ(status.code(), GetParam().code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    All, LyingAtStart,
    testing::Values(StartCase{"version", absl::StatusCode::kFailedPrecondition,
                              "is of fsload 0.0.9"},
                    StartCase{"protocol", absl::StatusCode::kFailedPrecondition,
                              "install both from one package"},
                    StartCase{"slots for hello",
                              absl::StatusCode::kFailedPrecondition,
                              "is no fsload-worker"},
                    StartCase{"refused", absl::StatusCode::kFailedPrecondition,
                              "refused, it says"},
                    StartCase{"no report", kInternal, "no report of its load"},
                    StartCase{"large report", kInternal, "too long"}));

TEST(MuteWorker, IsEndedByAStop) {
  SchemeRegistry registry;
  StopSource source;
  LoadOptions options = OptionsFor("mute", registry, kLong);
  options.isolation->stop = source.token();
  std::thread stops([&] {
    while (ChildProcesses().empty()) absl::SleepFor(absl::Milliseconds(1));
    source.RequestStop();
  });
  const absl::Time begin = absl::Now();
  const absl::Status status = LoadPlugin("any.so", options).status;
  stops.join();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_LT(absl::Now() - begin, absl::Seconds(8));  // it waits 10 s for a word
}

struct ProgramCase {
  const char* program;
  absl::StatusCode code;
  const char* text;
};

class WrongProgram : public testing::TestWithParam<ProgramCase> {};

TEST_P(WrongProgram, FailsTheLoad) {
  SchemeRegistry registry;
  LoadOptions options = OptionsFor("", registry, kLong);
  options.isolation->worker = GetParam().program;
  const absl::Status status = LoadPlugin("any.so", options).status;
  EXPECT_EQ(status.code(), GetParam().code) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongProgram,
    testing::Values(
        ProgramCase{"/bin/true", kUnavailable, "has ended with exit code 0"},
        ProgramCase{"/no/such/program", absl::StatusCode::kFailedPrecondition,
                    "/no/such/program"},
        ProgramCase{"/etc/passwd", absl::StatusCode::kPermissionDenied,
                    "cannot be started"}));

TEST(WorldWritableProgram, IsNotStarted) {
  for (const std::string writable : {"folder/worker", "folder"}) {
    const std::string path = NewPath("");
    WriteFile(path + "/folder/worker", "");
    ASSERT_EQ(chmod((path + "/folder/worker").c_str(), 0755), 0);
    ASSERT_EQ(chmod((path + "/" + writable).c_str(), 0777), 0);
    SchemeRegistry registry;
    LoadOptions options = OptionsFor("", registry, kLong);
    options.isolation->worker = path + "/folder/worker";
    const absl::Status status = LoadPlugin("any.so", options).status;
    EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr(writable + "' is world-writable"));
  }
}

}  // namespace
}  // namespace fsload
