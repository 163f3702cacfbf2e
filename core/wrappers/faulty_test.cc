#include "fsload/faulty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/testing/memory_tree.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/file_system.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Op kStat = Op::kFilesystem_stat;
constexpr Op kRead = Op::kRandomAccessFile_read;
constexpr Op kAppend = Op::kWritableFile_append;

FaultRule RuleFor(Op op) {
  FaultRule rule;
  rule.op = op;
  return rule;
}

class FaultyTest : public ::testing::Test {
 protected:
  FaultyTest() {
    tree_.AddFile("/d/a.txt", "contents");
    tree_.AddFile("/d/b.bin", "contents");
  }

  FileSystemPtr Open(std::vector<FaultRule> rules, uint64_t seed = 0) {
    const auto optional = {Op::kFilesystem_rename_file};
    auto made = Faulty(tree_.Open(MemoryTree::Tables(optional)),
                       {std::move(rules), seed});
    EXPECT_TRUE(made.ok()) << made.status();
    return *std::move(made);
  }

  // Which of `count` calls of stat fail: "..x.".
  static std::string Failures(const FileSystem& fs, int count,
                              const char* path = "/d/a.txt") {
    std::string failures;
    for (int i = 0; i < count; ++i) {
      failures += fs.Stat(path).ok() ? '.' : 'x';
    }
    return failures;
  }

  MemoryTree tree_;
};

TEST_F(FaultyTest, FailsEachCallOfAnOperation) {
  const FileSystemPtr fs = Open({RuleFor(kStat)});
  EXPECT_EQ(fs->Stat("tree:///d/a.txt").status(),
            absl::UnavailableError("tree:///d/a.txt: injected fault (stat)"));
  EXPECT_EQ(tree_.calls(kStat), 0);
  EXPECT_TRUE(fs->GetChildren("/d").ok());
}

TEST_F(FaultyTest, HasTheCodeAndTheMessageOfTheRule) {
  FaultRule rule = RuleFor(kStat);
  rule.code = absl::StatusCode::kDataLoss;
  rule.message = "bits have rotted";
  EXPECT_EQ(Open({rule})->Stat("/d/a.txt").status(),
            absl::DataLossError("/d/a.txt: bits have rotted (stat)"));
}

TEST_F(FaultyTest, FailsTheNthCallAlone) {
  FaultRule rule = RuleFor(kStat);
  rule.nth = 3;
  EXPECT_EQ(Failures(*Open({rule}), 6), "..x...");
}

TEST_F(FaultyTest, FailsEveryKthCall) {
  FaultRule rule = RuleFor(kStat);
  rule.every = 2;
  EXPECT_EQ(Failures(*Open({rule}), 6), ".x.x.x");
}

TEST_F(FaultyTest, FailsAtRandomButAlwaysAlike) {
  FaultRule rule = RuleFor(kStat);
  rule.probability = 0.25;
  const std::string first = Failures(*Open({rule}, 1), 1'000);
  EXPECT_EQ(Failures(*Open({rule}, 1), 1'000), first);
  EXPECT_NE(Failures(*Open({rule}, 2), 1'000), first);
  const auto count = std::count(first.begin(), first.end(), 'x');
  EXPECT_GT(count, 200);
  EXPECT_LT(count, 300);
}

TEST_F(FaultyTest, NeverFailsWithAProbabilityOfZeroAndAlwaysWithOne) {
  FaultRule rule = RuleFor(kStat);
  rule.probability = 0;
  EXPECT_EQ(Failures(*Open({rule}), 5), ".....");
  rule.probability = 1;
  EXPECT_EQ(Failures(*Open({rule}), 5), "xxxxx");
}

TEST_F(FaultyTest, CountsOnlyCallsOnPathsThatMatch) {
  FaultRule rule = RuleFor(kStat);
  rule.path = "*.txt";
  rule.nth = 2;
  const FileSystemPtr fs = Open({rule});
  EXPECT_EQ(Failures(*fs, 1), ".");
  EXPECT_EQ(Failures(*fs, 3, "/d/b.bin"), "...");
  EXPECT_EQ(Failures(*fs, 2), "x.");
}

TEST_F(FaultyTest, KnowsReadsByThePathOfTheFile) {
  FaultRule rule = RuleFor(kRead);
  rule.path = "/d/*.bin";
  const FileSystemPtr fs = Open({rule});
  char buffer[8];
  EXPECT_TRUE((*fs->NewRandomAccessFile("/d/a.txt"))->Read(0, 8, buffer).ok());
  EXPECT_EQ((*fs->NewRandomAccessFile("tree:///d//b.bin"))
                ->Read(0, 8, buffer)
                .status(),
            absl::UnavailableError("tree:///d//b.bin: injected fault (read)"));
}

TEST_F(FaultyTest, LosesTheAnswerOfAChangeThatTookEffect) {
  FaultRule rule = RuleFor(Op::kFilesystem_rename_file);
  rule.when = FaultTime::kAfter;
  EXPECT_EQ(Open({rule})->RenameFile("/d/a.txt", "/d/c").code(),
            absl::StatusCode::kUnavailable);
  EXPECT_FALSE(tree_.Exists("/d/a.txt"));
  EXPECT_EQ(*tree_.Contents("/d/c"), "contents");
}

TEST_F(FaultyTest, LeavesAnErrorOfThePluginAsItIs) {
  FaultRule rule = RuleFor(Op::kFilesystem_delete_file);
  rule.when = FaultTime::kAfter;
  EXPECT_EQ(Open({rule})->DeleteFile("/d/none").code(),
            absl::StatusCode::kNotFound);
}

TEST_F(FaultyTest, AsksNothingWhoseAnswerWouldBeLost) {
  FaultRule rule = RuleFor(Op::kFilesystem_get_children);
  rule.when = FaultTime::kAfter;
  EXPECT_EQ(Open({rule})->GetChildren("/d").status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(tree_.calls(Op::kFilesystem_get_children), 0);
}

TEST(FaultyPluginTest, ClosesAFileWhoseOpeningWasLost) {
  ScriptedPlugin plugin;
  FaultRule rule = RuleFor(Op::kFilesystem_new_writable_file);
  rule.when = FaultTime::kAfter;
  const FileSystemPtr fs = *Faulty(plugin.Create(), {{rule}});
  EXPECT_FALSE(fs->NewWritableFile("/a").ok());
  EXPECT_EQ(plugin.Count(Op::kFilesystem_new_writable_file), 1);
  EXPECT_EQ(plugin.Count(Op::kWritableFile_close), 0);
  EXPECT_EQ(plugin.Count(Op::kWritableFile_cleanup), 1);
}

TEST_F(FaultyTest, EndsAReadEarly) {
  FaultRule rule = RuleFor(kRead);
  rule.max_bytes = 3;
  const auto file = *Open({rule})->NewRandomAccessFile("/d/a.txt");
  char buffer[8];
  EXPECT_EQ(*file->Read(1, 8, buffer), 3);
  EXPECT_EQ(std::string(buffer, 3), "ont");
  EXPECT_EQ(*file->Read(0, 2, buffer), 2);
}

TEST_F(FaultyTest, WritesPartOfAnAppendAndFails) {
  FaultRule rule = RuleFor(kAppend);
  rule.max_bytes = 3;
  rule.code = absl::StatusCode::kResourceExhausted;
  rule.message = "disk full";
  const auto file = *Open({rule})->NewWritableFile("/d/c");
  EXPECT_EQ(file->Append("ab"), absl::OkStatus());
  EXPECT_EQ(file->Append("cdefgh"),
            absl::ResourceExhaustedError("/d/c: disk full (append)"));
  EXPECT_EQ(*tree_.Contents("/d/c"), "abcde");
}

TEST_F(FaultyTest, Delays) {
  FaultRule rule = RuleFor(kStat);
  rule.delay = absl::Milliseconds(30);
  rule.code = absl::StatusCode::kOk;
  const FileSystemPtr fs = Open({rule});
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(fs->Stat("/d/a.txt").ok());
  EXPECT_GE(std::chrono::steady_clock::now() - start,
            std::chrono::milliseconds(30));
}

TEST_F(FaultyTest, TakesTheFirstRuleThatStrikes) {
  FaultRule second = RuleFor(kStat);
  second.nth = 2;
  second.code = absl::StatusCode::kAborted;
  FaultRule any;
  any.path = "a.txt";
  const FileSystemPtr fs = Open({second, any});
  EXPECT_TRUE(absl::IsUnavailable(fs->Stat("/d/a.txt").status()));
  EXPECT_TRUE(absl::IsAborted(fs->Stat("/d/a.txt").status()));
  EXPECT_TRUE(absl::IsUnavailable(fs->DeleteFile("/d/a.txt")));
}

TEST_F(FaultyTest, RefusesRulesThatMeanNothing) {
  FaultRule both = RuleFor(kStat);
  both.nth = 1;
  both.every = 2;
  FaultRule improbable = RuleFor(kStat);
  improbable.probability = 1.5;
  FaultRule earlier = RuleFor(kStat);
  earlier.delay = absl::Seconds(-1);
  FaultRule without_bytes = RuleFor(kStat);
  without_bytes.max_bytes = 3;
  FaultRule malformed = RuleFor(kStat);
  malformed.path = "[a";
  for (const FaultRule& rule :
       {both, improbable, earlier, without_bytes, malformed}) {
    const absl::Status status = Faulty(tree_.Open(), {{rule}}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  }
  EXPECT_THAT(std::string(Faulty(tree_.Open(), {{both}}).status().message()),
              HasSubstr("rule 0 cannot be used: it sets more than one of"));
  EXPECT_THAT(
      std::string(Faulty(tree_.Open(), {{improbable}}).status().message()),
      HasSubstr("its probability is 1.5, and must be from 0 to 1"));
  EXPECT_EQ(Faulty(nullptr, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

// The s3 plugin reads the whole object if asked for 0 bytes, and overruns the
// buffer.
TEST(FaultyPluginTest, AsksThePluginForNoReadOfNothing) {
  ScriptedPlugin plugin;
  FaultRule rule = RuleFor(kRead);
  rule.max_bytes = 0;
  const auto file = *(*Faulty(plugin.Create(), {{rule}}))
                         ->NewRandomAccessFile("scripted:///a");
  char buffer[8];
  EXPECT_EQ(*file->Read(0, 8, buffer), 0);
  EXPECT_EQ(plugin.Count(kRead), 0);
}

}  // namespace
}  // namespace fsload
