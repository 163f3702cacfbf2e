#include "fsload/retrying.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "core/tables/operations.h"
#include "core/testing/memory_tree.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/faulty.h"
#include "fsload/file_system.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Op kStat = Op::kFilesystem_stat;

// Over a tree whose calls fail as `rules` say, with pauses that are noted and
// take no time.
class RetryingTest : public ::testing::Test {
 protected:
  RetryingTest() {
    tree_.AddFile("/d/a", "contents");
    options_.wait = [this](const RetryNotice& notice) {
      pauses_.push_back(notice.backoff);
      return true;
    };
    options_.on_retry = [this](const RetryNotice& notice) {
      notices_.push_back(
          std::string(Name(notice.op)) + " " + std::string(notice.uri) + " " +
          std::to_string(notice.attempts) + " " + std::string(notice.message));
    };
  }

  FileSystemPtr Open(std::vector<FaultRule> rules) {
    const auto optional = {Op::kFilesystem_rename_file,
                           Op::kFilesystem_copy_file};
    const FileSystemPtr faulty =
        *Faulty(tree_.Open(MemoryTree::Tables(optional)), {std::move(rules)});
    auto made = Retrying(faulty, options_);
    EXPECT_TRUE(made.ok()) << made.status();
    return *std::move(made);
  }

  static FaultRule FirstOf(Op op, FaultTime when = FaultTime::kBefore) {
    FaultRule rule;
    rule.op = op;
    rule.nth = 1;
    rule.when = when;
    return rule;
  }

  static FaultRule EachOf(Op op) {
    FaultRule rule;
    rule.op = op;
    return rule;
  }

  MemoryTree tree_;
  RetryOptions options_;
  std::vector<absl::Duration> pauses_;
  std::vector<std::string> notices_;
};

TEST_F(RetryingTest, RepeatsQuestionsAndOpenings) {
  const FileSystemPtr fs = Open(
      {FirstOf(kStat), FirstOf(Op::kFilesystem_get_children),
       FirstOf(Op::kFilesystem_new_random_access_file),
       FirstOf(Op::kRandomAccessFile_read),
       FirstOf(Op::kFilesystem_new_writable_file),
       FirstOf(Op::kFilesystem_path_exists), FirstOf(Op::kWritableFile_tell)});
  EXPECT_TRUE(fs->Stat("/d/a").ok());
  EXPECT_THAT(*fs->GetChildren("/d"), ElementsAre("a"));
  char buffer[8];
  EXPECT_EQ(*(*fs->NewRandomAccessFile("/d/a"))->Read(0, 8, buffer), 8);
  EXPECT_EQ(std::string(buffer, 8), "contents");
  EXPECT_EQ((*fs->NewWritableFile("/d/b"))->Tell(), absl::StatusOr<int64_t>(0));
  EXPECT_TRUE(fs->FileExists("/d/b").ok());
  EXPECT_EQ(pauses_.size(), 7);
}

TEST_F(RetryingTest, ReturnsOtherErrorsAtOnce) {
  const FileSystemPtr fs = Open({});
  EXPECT_EQ(fs->Stat("/d/none").status(),
            absl::NotFoundError("/d/none: there is nothing (stat)"));
  EXPECT_EQ(tree_.calls(kStat), 1);
}

TEST_F(RetryingTest, RepeatsTheCodesThatItIsGiven) {
  options_.retryable_codes = {absl::StatusCode::kUnknown};
  FaultRule unknown = FirstOf(kStat);
  unknown.code = absl::StatusCode::kUnknown;
  const FileSystemPtr fs =
      Open({unknown, FirstOf(Op::kFilesystem_get_children)});
  EXPECT_TRUE(fs->Stat("/d/a").ok());
  EXPECT_EQ(fs->GetChildren("/d").status().code(),
            absl::StatusCode::kUnavailable);
}

// The az plugin reports what its server says as INTERNAL.
TEST(RetryingPluginTest, RepeatsWhatTheCallerSeesAsOneOfTheCodes) {
  ScriptedPlugin plugin;
  RetryOptions options;
  options.max_attempts = 2;
  std::vector<absl::StatusCode> codes;
  options.wait = [&codes](const RetryNotice& notice) {
    codes.push_back(notice.code);
    return true;
  };
  options.retryable_codes.push_back(absl::StatusCode::kUnknown);
  const FileSystemPtr fs = *Retrying(plugin.Create("s3"), options);
  plugin.Fail(kStat, TF_INTERNAL, "no stats (Status: 503 busy)");
  EXPECT_EQ(fs->Stat("s3://b/a").status(),
            absl::UnavailableError("s3://b/a: no stats (Status: 503 busy); "
                                   "gave up after 2 tries (stat)"));
  plugin.Fail(kStat, static_cast<TF_Code>(17'000), "odd");
  EXPECT_EQ(fs->Stat("s3://b/a").status().code(), absl::StatusCode::kUnknown);
  plugin.Fail(kStat, TF_UNAVAILABLE, "PermanentRedirect");
  EXPECT_EQ(fs->Stat("s3://b/a").status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(codes, ElementsAre(absl::StatusCode::kUnavailable,
                                 absl::StatusCode::kUnknown));
}

// As hdfs reports a failure.
TEST(RetryingPluginTest, RepeatsAListingThatLeavesAnErrorNumber) {
  ScriptedPlugin plugin;
  plugin.tables.traits.empty_listing_sets_errno = true;
  int tries = 0;
  plugin.get_children = [&tries](char*** entries, TF_Status*) {
    *entries = PluginMemory::DuplicateAll({});
    errno = ++tries == 1 ? ECONNREFUSED : 0;
    return 0;
  };
  RetryOptions options;
  options.wait = [](const RetryNotice& notice) {
    EXPECT_EQ(notice.code, absl::StatusCode::kUnavailable);
    errno = ENOTTY;  // is none of the plugin
    return true;
  };
  const FileSystemPtr fs = *Retrying(plugin.Create(), options);
  EXPECT_EQ(fs->GetChildren("/d").status(), absl::OkStatus());
  EXPECT_EQ(tries, 2);
  EXPECT_EQ(PluginMemory::live(), 0);
}

TEST_F(RetryingTest, GivesUpAfterAsManyTriesAsItMay) {
  options_.max_attempts = 3;
  EXPECT_EQ(Open({EachOf(kStat)})->Stat("/d/a").status(),
            absl::UnavailableError(
                "/d/a: injected fault; gave up after 3 tries (stat)"));
  EXPECT_EQ(pauses_.size(), 2);
}

TEST_F(RetryingTest, GivesUpWhenTheTimeIsOver) {
  options_.initial_backoff = absl::Seconds(4);
  options_.max_elapsed = absl::Seconds(1);
  EXPECT_EQ(Open({EachOf(kStat)})->Stat("/d/a").status(),
            absl::UnavailableError(
                "/d/a: injected fault; gave up after 1 try (stat)"));
  EXPECT_TRUE(pauses_.empty());
}

TEST_F(RetryingTest, PausesLongerEachTimeAndAtRandom) {
  options_.max_attempts = 6;
  options_.initial_backoff = absl::Milliseconds(100);
  options_.max_backoff = absl::Milliseconds(500);
  EXPECT_FALSE(Open({EachOf(kStat)})->Stat("/d/a").ok());
  const std::vector<absl::Duration> longest = {
      absl::Milliseconds(100), absl::Milliseconds(200), absl::Milliseconds(400),
      absl::Milliseconds(500), absl::Milliseconds(500)};
  ASSERT_EQ(pauses_.size(), longest.size());
  bool random = false;
  for (size_t i = 0; i < longest.size(); ++i) {
    EXPECT_GE(pauses_[i], longest[i] / 2);
    EXPECT_LE(pauses_[i], longest[i]);
    random =
        random || (pauses_[i] != longest[i] && pauses_[i] != longest[i] / 2);
  }
  EXPECT_TRUE(random);
}

TEST_F(RetryingTest, TellsOfEachRetry) {
  options_.max_attempts = 3;
  EXPECT_FALSE(Open({EachOf(kStat)})->Stat("tree:///d/a").ok());
  EXPECT_THAT(notices_, ElementsAre("stat /d/a 1 injected fault",
                                    "stat /d/a 2 injected fault"));
}

TEST_F(RetryingTest, WaitsKnowingWhatFor) {
  std::vector<std::string> waits;
  options_.max_attempts = 2;
  options_.wait = [&waits](const RetryNotice& notice) {
    waits.push_back(std::string(notice.uri) + ": " +
                    std::string(notice.message));
    return true;
  };
  EXPECT_FALSE(Open({EachOf(kStat)})->Stat("/d/a").ok());
  EXPECT_THAT(waits, ElementsAre("/d/a: injected fault"));
}

TEST_F(RetryingTest, HasThePluginOfWhatItRepeats) {
  const FileSystemPtr inner = tree_.Open();
  EXPECT_EQ((*Retrying(inner, options_))->plugin(), inner->plugin());
}

TEST_F(RetryingTest, StopsWhenToldTo) {
  options_.wait = [](const RetryNotice&) { return false; };
  EXPECT_EQ(Open({EachOf(kStat)})->Stat("/d/a").status(),
            absl::UnavailableError(
                "/d/a: injected fault; stopped after 1 try (stat)"));
}

TEST_F(RetryingTest, SurvivesHooksThatThrow) {
  options_.on_retry = [](const RetryNotice&) { throw std::bad_alloc(); };
  EXPECT_TRUE(Open({FirstOf(kStat)})->Stat("/d/a").ok());
  options_.wait = [](const RetryNotice&) -> bool { throw 42; };
  EXPECT_THAT(
      std::string(Open({FirstOf(kStat)})->Stat("/d/a").status().message()),
      HasSubstr("stopped after 1 try"));
}

TEST_F(RetryingTest, NeverRepeatsAnAppend) {
  const FileSystemPtr fs =
      Open({FirstOf(Op::kWritableFile_append, FaultTime::kAfter)});
  const auto file = *fs->NewWritableFile("/d/b");
  EXPECT_EQ(file->Append("once"),
            absl::UnavailableError(
                "/d/b: injected fault; not tried again, because the first try "
                "may have taken effect (append)"));
  EXPECT_EQ(*tree_.Contents("/d/b"), "once");
}

// The rename has worked, its answer was lost, and somebody has put a new file
// at the source: repeating the rename would replace the target with it.
TEST_F(RetryingTest, NeverRepeatsARenameBecauseItMayHaveWorked) {
  const FileSystemPtr fs =
      Open({FirstOf(Op::kFilesystem_rename_file, FaultTime::kAfter)});
  tree_.after_call = [&](Op op, uint64_t) {
    if (op == Op::kFilesystem_rename_file) tree_.AddFile("/d/a", "newer");
  };
  const absl::Status status = fs->RenameFile("/d/a", "/d/b");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("not tried again"));
  EXPECT_EQ(tree_.calls(Op::kFilesystem_rename_file), 1);
  EXPECT_EQ(*tree_.Contents("/d/a"), "newer");
  EXPECT_EQ(*tree_.Contents("/d/b"), "contents");
}

// What somebody creates after the deletion stays.
TEST_F(RetryingTest, NeverRepeatsADeletion) {
  const FileSystemPtr fs =
      Open({FirstOf(Op::kFilesystem_delete_file, FaultTime::kAfter)});
  tree_.after_call = [&](Op op, uint64_t) {
    if (op == Op::kFilesystem_delete_file) tree_.AddFile("/d/a", "newer");
  };
  EXPECT_EQ(fs->DeleteFile("/d/a").code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(*tree_.Contents("/d/a"), "newer");
}

TEST(RetryingPluginTest, CallsWhatIsNotRepeatableOnce) {
  for (const Operation& each : kOperations) {
    if (IsRepeatable(each.op)) continue;
    EXPECT_FALSE(Asks(each.op)) << each.name;
  }
  ScriptedPlugin plugin;
  RetryOptions options;
  options.wait = [](const RetryNotice&) { return true; };
  const FileSystemPtr fs = *Retrying(plugin.Create(), options);
  for (const Op op : {Op::kWritableFile_flush, Op::kWritableFile_sync,
                      Op::kWritableFile_close}) {
    plugin.Fail(op, TF_UNAVAILABLE, "no server");
  }
  const auto file = *fs->NewWritableFile("/a");
  EXPECT_FALSE(file->Flush().ok());
  EXPECT_FALSE(file->Sync().ok());
  EXPECT_FALSE(file->Close().ok());
  for (const Op op : {Op::kWritableFile_flush, Op::kWritableFile_sync,
                      Op::kWritableFile_close}) {
    EXPECT_EQ(plugin.Count(op), 1) << Name(op);
  }
}

TEST(RetryingPluginTest, KeepsPayloads) {
  ScriptedPlugin plugin;
  RetryOptions options;
  options.wait = [](const RetryNotice&) { return true; };
  const FileSystemPtr fs = *Retrying(plugin.Create(), options);
  plugin.On(kStat, [](TF_Status* status) {
    TF_SetStatus(status, TF_UNAVAILABLE, "no server");
    TF_SetPayload(status, "x.request", "17");
  });
  EXPECT_EQ(fs->Stat("/a").status().GetPayload("x.request"), absl::Cord("17"));
}

TEST_F(RetryingTest, CreatesADirectoryAfterAFailure) {
  EXPECT_EQ(Open({FirstOf(Op::kFilesystem_create_dir)})->CreateDir("/e"),
            absl::OkStatus());
  EXPECT_TRUE(tree_.Exists("/e"));
}

TEST_F(RetryingTest, DoesNotSayWhoseADirectoryIsThatMayBeItsOwn) {
  const FileSystemPtr fs =
      Open({FirstOf(Op::kFilesystem_create_dir, FaultTime::kAfter)});
  EXPECT_EQ(fs->CreateDir("/e"),
            absl::UnavailableError(
                "/e: injected fault; the directory now exists: either this "
                "call has created it, or somebody else has (create_dir)"));
  EXPECT_EQ(fs->CreateDir("/e").code(), absl::StatusCode::kAlreadyExists);
}

TEST_F(RetryingTest, OpensAFileToWriteOnceMoreIfTheAnswerWasLost) {
  const FileSystemPtr fs =
      Open({FirstOf(Op::kFilesystem_new_writable_file, FaultTime::kAfter)});
  const auto file = *fs->NewWritableFile("/d/a");
  EXPECT_EQ(file->Append("new"), absl::OkStatus());
  EXPECT_EQ(*tree_.Contents("/d/a"), "new");
}

TEST_F(RetryingTest, RepeatsTheStepsOfDefaults) {
  const FileSystemPtr faulty = *Faulty(
      tree_.Open(), {{FirstOf(kStat), FirstOf(Op::kRandomAccessFile_read),
                      FirstOf(Op::kFilesystem_new_random_access_file)}});
  const FileSystemPtr fs = *Retrying(faulty, options_);
  EXPECT_EQ(fs->CopyFile("/d/a", "/d/b"), absl::OkStatus());
  EXPECT_EQ(*tree_.Contents("/d/b"), "contents");
  EXPECT_GE(pauses_.size(), 3);
}

TEST(RetryingThreadsTest, RepeatsForManyThreadsAtOnce) {
  MemoryTree tree;
  tree.AddFile("/d/a", "contents");
  FaultRule rule;
  rule.op = kStat;
  rule.probability = 0.5;
  RetryOptions options;
  options.max_attempts = 100;
  options.initial_backoff = absl::Microseconds(1);
  const FileSystemPtr fs = *Retrying(*Faulty(tree.Open(), {{rule}}), options);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&fs] {
      for (int k = 0; k < 200; ++k) EXPECT_TRUE(fs->Stat("/d/a").ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(RetryingTest, RefusesOptionsThatMeanNothing) {
  const auto refuses = [&](const RetryOptions& options, const char* words) {
    const absl::Status status = Retrying(tree_.Open(), options).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(words));
  };
  RetryOptions options;
  options.max_attempts = 0;
  refuses(options, "max_attempts is 0");
  options = {};
  options.backoff_multiplier = 0.5;
  refuses(options, "backoff_multiplier is 0.5");
  options = {};
  options.initial_backoff = absl::Seconds(-1);
  refuses(options, "a time is negative: -1s");
  options = {};
  options.retryable_codes = {absl::StatusCode::kOutOfRange};
  refuses(options, "OUT_OF_RANGE cannot be tried again");
  EXPECT_EQ(Retrying(nullptr).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace fsload
