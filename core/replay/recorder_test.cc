#include "fsload/recorder.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/replay/journal_line.h"
#include "core/tables/operations.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/call_histogram.h"
#include "fsload/replay.h"
#include "fsload/transaction.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class RecorderTest : public testing::Test {
 protected:
  RecorderTest() { std::remove(path_.c_str()); }

  std::shared_ptr<Recorder> Make(uint64_t most = Recorder::kMaxBytes) {
    auto made = Recorder::Create(path_, most);
    EXPECT_TRUE(made.ok()) << made.status();
    return made.ok() ? *made : nullptr;
  }

  static FileSystemPtr Recorded(ScriptedPlugin& plugin,
                                const std::shared_ptr<Recorder>& recorder) {
    auto recorded = RecordCalls(plugin.Create(), recorder);
    EXPECT_TRUE(recorded.ok()) << recorded.status();
    return recorded.ok() ? *recorded : nullptr;
  }

  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

  // The lines of calls: "Filesystem.stat OK".
  std::vector<std::string> Calls() const {
    std::vector<std::string> calls;
    for (const std::string& text : Lines()) {
      const auto line = ParseJournalLine(text);
      EXPECT_TRUE(line.ok()) << text;
      if (!line.ok() || !std::holds_alternative<JournalCall>(*line)) continue;
      const auto& call = std::get<JournalCall>(*line);
      calls.push_back(std::string(FullName(call.op)) +
                      (call.code == TF_OK ? "" : " " + call.message));
    }
    return calls;
  }

  const std::string path_ = testing::TempDir() + "/journal";
  ScriptedPlugin plugin_;
};

TEST_F(RecorderTest, RecordsEachCallThatReachesThePlugin) {
  {
    const FileSystemPtr file_system = Recorded(plugin_, Make());
    EXPECT_TRUE(file_system->Stat("scripted://h/a").ok());
    const auto file = file_system->NewRandomAccessFile("scripted://h/a");
    ASSERT_TRUE(file.ok());
    char buffer[3] = {'x', 'y', 'z'};
    EXPECT_TRUE((*file)->Read(7, 3, buffer).ok());
  }
  EXPECT_THAT(
      Calls(),
      ElementsAre("Filesystem.translate_name", "Filesystem.stat",
                  "Filesystem.translate_name",
                  "Filesystem.new_random_access_file", "RandomAccessFile.read",
                  "RandomAccessFile.cleanup", "Filesystem.cleanup"));
}

TEST_F(RecorderTest, ChangesNothingOfWhatThePluginDoes) {
  const FileSystemPtr file_system = Recorded(plugin_, Make());
  EXPECT_EQ(file_system->scheme(), "scripted");
  EXPECT_EQ(file_system->plugin(), "scripted.so");
  plugin_.statistics = {5, 6, true};
  EXPECT_EQ(file_system->Stat("/a")->mtime_nsec, 6);
  EXPECT_THAT(*file_system->GetChildren("/a"), ElementsAre("a", "b"));
  plugin_.Fail(Op::kFilesystem_stat, TF_PERMISSION_DENIED, "not you");
  EXPECT_EQ(file_system->Stat("/a").status(),
            absl::PermissionDeniedError("/a: not you (stat)"));
  EXPECT_TRUE(absl::IsUnimplemented(file_system->StartTransaction().status()));
}

TEST_F(RecorderTest, ShowsAnObserverEachCallOnce) {
  CallHistogram observer;
  plugin_.tables.observer = &observer;
  {
    const FileSystemPtr file_system = Recorded(plugin_, Make());
    EXPECT_TRUE(file_system->Stat("/a").ok());
  }
  for (const CallStatistics::Row& row : observer.Snapshot().rows) {
    EXPECT_EQ(row.nanoseconds.count(), 1) << FullName(row.op);
  }
  EXPECT_EQ(observer.Snapshot().rows.size(), 4);
}

TEST_F(RecorderTest, RecordsAndPassesOnExceptions) {
  const FileSystemPtr file_system = Recorded(plugin_, Make());
  plugin_.On(Op::kFilesystem_delete_file,
             [](TF_Status*) { throw std::runtime_error("no luck"); });
  EXPECT_EQ(file_system->DeleteFile("/a"),
            absl::InternalError("/a: the plugin threw std::runtime_error: no "
                                "luck (delete_file)"));
  EXPECT_THAT(Calls(), ElementsAre("Filesystem.translate_name",
                                   "Filesystem.delete_file the plugin threw "
                                   "std::runtime_error: no luck"));
}

TEST_F(RecorderTest, RecordsExceptionsOfOperationsWithoutAStatus) {
  const FileSystemPtr file_system = Recorded(plugin_, Make());
  plugin_.translate_name = [](const char*) -> char* {
    throw std::runtime_error("no name");
  };
  EXPECT_FALSE(file_system->TranslateName("scripted://h/a").ok());
  EXPECT_THAT(Calls(), ElementsAre("Filesystem.translate_name the plugin threw "
                                   "std::runtime_error: no name"));
}

// The boundary makes a code of what an HTTP client says.
TEST_F(RecorderTest, RecordsTheCodeOfAnException) {
  plugin_.translate_name = [](const char*) -> char* {
    throw std::runtime_error("503 Slow Down");
  };
  absl::Status said;
  {
    const FileSystemPtr file_system = Recorded(plugin_, Make());
    said = file_system->TranslateName("scripted://h/a").status();
  }
  EXPECT_TRUE(absl::IsUnavailable(said)) << said;
  const auto journal = Journal::Read(path_);
  ASSERT_EQ(journal.status(), absl::OkStatus());
  const auto replayed = journal->Replay();
  ASSERT_EQ(replayed.status(), absl::OkStatus());
  EXPECT_EQ(replayed->front()->TranslateName("scripted://h/a").status(), said);
}

TEST_F(RecorderTest, IsForItsOwnerAlone) {
  const auto recorder = Make();
  struct stat found;
  ASSERT_EQ(stat(path_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600);
}

TEST_F(RecorderTest, ReplacesNothing) {
  std::ofstream(path_) << "precious";
  EXPECT_EQ(
      Recorder::Create(path_).status(),
      absl::AlreadyExistsError(
          path_ +
          ": exists; a journal never replaces a file, so name a new one"));
  EXPECT_THAT(Lines(), ElementsAre("precious"));
}

TEST_F(RecorderTest, DoesNotFollowALinkToAMissingFile) {
  const std::string link = path_ + ".link";
  std::remove(link.c_str());
  ASSERT_EQ(symlink(path_.c_str(), link.c_str()), 0);
  EXPECT_TRUE(absl::IsAlreadyExists(Recorder::Create(link).status()));
}

TEST_F(RecorderTest, LeavesNoFileIfItsFirstLineCannotBeWritten) {
  EXPECT_FALSE(Recorder::Create(path_, 5).ok());
  EXPECT_TRUE(Recorder::Create(path_).ok());
}

TEST_F(RecorderTest, SaysWhyTheFileCannotBeCreated) {
  const absl::Status status = Recorder::Create("/missing/journal").status();
  EXPECT_TRUE(absl::IsNotFound(status));
  EXPECT_THAT(status.message(), HasSubstr("/missing/journal"));
}

TEST_F(RecorderTest, StopsAtItsLimitWithoutFailingACall) {
  constexpr uint64_t kLimit = 4000;
  const auto recorder = Make(kLimit);
  {
    const FileSystemPtr file_system = Recorded(plugin_, recorder);
    for (int i = 0; i < 100; ++i) {
      EXPECT_TRUE(file_system->Stat("scripted://h/a").ok());
    }
  }
  EXPECT_EQ(recorder->status(),
            absl::ResourceExhaustedError(
                path_ +
                ": recording stopped, and later calls are missing: the journal "
                "has reached its limit of 4000 bytes"));
  struct stat found;
  ASSERT_EQ(stat(path_.c_str(), &found), 0);
  EXPECT_LE(found.st_size, kLimit);
  EXPECT_EQ(Lines().back(),
            R"({"stopped":"the journal has reached its limit of 4000 bytes"})");
  const auto journal = Journal::Read(path_);
  ASSERT_TRUE(journal.ok()) << journal.status();
  EXPECT_EQ(journal->incomplete(),
            "the journal has reached its limit of 4000 bytes");
}

// As on a full disk.
TEST_F(RecorderTest, EndsWithAWholeLineWhereTheKernelTakesNoMore) {
  const auto recorder = Make();
  const FileSystemPtr file_system = Recorded(plugin_, recorder);
  EXPECT_TRUE(file_system->Stat("scripted://h/a").ok());
  const size_t lines = Lines().size();
  struct stat found;
  ASSERT_EQ(stat(path_.c_str(), &found), 0);
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {static_cast<rlim_t>(found.st_size) + 20,
                        before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_TRUE(file_system->Stat("scripted://h/b").ok());
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_TRUE(file_system->Stat("scripted://h/c").ok());
  EXPECT_THAT(recorder->status().message(), HasSubstr("it cannot be written"));
  EXPECT_EQ(Lines().size(), lines);
  EXPECT_TRUE(Journal::Read(path_).ok());
}

// As hdfs reports it.
TEST_F(RecorderTest, RecordsNoCallsOfAForkedChild) {
  const auto recorder = Make();
  const FileSystemPtr recorded = Recorded(plugin_, recorder);
  const pid_t child = fork();
  if (child == 0) {
    if (!recorded->FileExists("scripted://h/a").ok()) _exit(1);
    _exit(absl::IsFailedPrecondition(recorder->status()) ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(Calls(), ElementsAre());
  EXPECT_EQ(recorder->status(), absl::OkStatus());
}

TEST_F(RecorderTest, RecordsAsAnErrorWhatLeavesAnErrorNumber) {
  plugin_.tables.traits.empty_listing_sets_errno = true;
  plugin_.get_children = [](char***, TF_Status*) {
    errno = ECONNREFUSED;
    return 0;
  };
  const absl::Status status =
      Recorded(plugin_, Make())->GetChildren("scripted://h/a").status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  const auto replayed = Journal::Read(path_)->Replay();
  ASSERT_EQ(replayed.status(), absl::OkStatus());
  EXPECT_EQ(replayed->front()->GetChildren("scripted://h/a").status(), status);
}

TEST_F(RecorderTest, KeepsLoginsAndOptionValuesOut) {
  plugin_.tables.filesystem.set_filesystem_configuration_option =
      [](const TF_Filesystem*, const TF_Filesystem_Option*, TF_Status*) {};
  {
    const FileSystemPtr file_system = Recorded(plugin_, Make());
    EXPECT_TRUE(file_system->Stat("scripted://me:pass@h/a").ok());
    ConfigurationOption option;
    option.name = "key";
    option.values = std::vector<std::string>{"pass"};
    EXPECT_TRUE(file_system->SetFilesystemConfigurationOption(option).ok());
  }
  for (const std::string& line : Lines()) {
    EXPECT_THAT(line, testing::Not(HasSubstr("pass")));
  }
  EXPECT_THAT(Calls(), testing::Contains(
                           "Filesystem.set_filesystem_configuration_option"));
}

TEST_F(RecorderTest, RefusesNothingToRecordAndNowhereToRecordIt) {
  EXPECT_EQ(RecordCalls(nullptr, Make()).status(),
            absl::InvalidArgumentError(
                "RecordCalls: the file system to wrap is null"));
  EXPECT_EQ(RecordCalls(plugin_.Create(), nullptr).status(),
            absl::InvalidArgumentError("RecordCalls: the recorder is null"));
}

// While a transaction ends, `during_end` begins one with a token at the same
// address, as another thread may once the plugin has freed the first.
class RecordedTransactionsTest : public RecorderTest {
 protected:
  RecordedTransactionsTest() {
    plugin_.tables.filesystem.start_transaction =
        [](const TF_Filesystem*, TF_TransactionToken** token, TF_Status*) {
          static TF_TransactionToken started = {nullptr, nullptr};
          *token = &started;
          return 0;
        };
    plugin_.tables.filesystem.end_transaction =
        [](const TF_Filesystem*, TF_TransactionToken*, TF_Status* status) {
          if (during_end != nullptr) std::exchange(during_end, nullptr)();
          TF_SetStatus(status, end_code, "");
          return 0;
        };
    end_code = TF_OK;
  }

  // The numbers of tokens, as "start 1" and "end 1".
  std::vector<std::string> Numbers() const {
    std::vector<std::string> numbers;
    for (const std::string& text : Lines()) {
      const auto line = ParseJournalLine(text);
      if (!line.ok() || !std::holds_alternative<JournalCall>(*line)) continue;
      const auto& call = std::get<JournalCall>(*line);
      if (call.op == Op::kFilesystem_start_transaction) {
        numbers.push_back(Format("start {}", call.values.at(0)));
      } else if (call.op == Op::kFilesystem_end_transaction) {
        numbers.push_back(
            Format("end {}", std::get<uint64_t>(call.arguments.at(0))));
      }
    }
    return numbers;
  }

  static std::function<void()> during_end;
  static TF_Code end_code;
};

std::function<void()> RecordedTransactionsTest::during_end;
TF_Code RecordedTransactionsTest::end_code = TF_OK;

TEST_F(RecordedTransactionsTest, NumberATokenAnewIfItsAddressIsUsedAgain) {
  const FileSystemPtr files = Recorded(plugin_, Make());
  Transaction first = *files->StartTransaction();
  std::optional<Transaction> second;
  during_end = [&] { second.emplace(*files->StartTransaction()); };
  EXPECT_EQ(first.End(), absl::OkStatus());
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->End(), absl::OkStatus());
  EXPECT_THAT(Numbers(), ElementsAre("start 1", "start 2", "end 1", "end 2"));
}

TEST_F(RecordedTransactionsTest, KeepTheNumberOfATokenThatCouldNotBeEnded) {
  const FileSystemPtr files = Recorded(plugin_, Make());
  Transaction begun = *files->StartTransaction();
  const TransactionToken token = begun.token();
  end_code = TF_UNAVAILABLE;
  EXPECT_TRUE(absl::IsUnavailable(files->EndTransaction(token)));
  end_code = TF_OK;
  EXPECT_EQ(files->EndTransaction(token), absl::OkStatus());
  EXPECT_EQ(files->EndTransaction(token), absl::OkStatus());
  EXPECT_THAT(Numbers(), ElementsAre("start 1", "end 1", "end 1", "end 2"));
}

}  // namespace
}  // namespace fsload
