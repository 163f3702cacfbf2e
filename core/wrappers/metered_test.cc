#include "fsload/metered.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/testing/memory_tree.h"
#include "core/testing/scripted_plugin.h"
#include "fsload/file_system.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;

class MeteredTest : public ::testing::Test {
 protected:
  MeteredTest() { tree_.AddFile("/d/a", "contents"); }

  MemoryTree tree_;
  const std::shared_ptr<OpMeter> meter_ = std::make_shared<OpMeter>();
  const FileSystemPtr fs_ = *Metered(tree_.Open(), meter_);
};

TEST_F(MeteredTest, CountsCallsAndErrorsByOperation) {
  EXPECT_TRUE(fs_->Stat("/d/a").ok());
  EXPECT_FALSE(fs_->Stat("/d/b").ok());
  EXPECT_TRUE(fs_->GetChildren("/d").ok());
  const OpTotals stat = meter_->Totals(Op::kFilesystem_stat);
  EXPECT_EQ(stat.calls, 2);
  EXPECT_EQ(stat.errors, 1);
  EXPECT_GT(stat.time.count(), 0);
  EXPECT_EQ(meter_->Totals(Op::kFilesystem_get_children).calls, 1);
  EXPECT_EQ(meter_->Totals(Op::kFilesystem_delete_file).calls, 0);
}

TEST_F(MeteredTest, CountsBytesAndTakesTheEndOfAFileForNoError) {
  const auto reader = *fs_->NewRandomAccessFile("/d/a");
  char buffer[100];
  EXPECT_EQ(*reader->Read(0, 5, buffer), 5);
  EXPECT_EQ(*reader->Read(5, 100, buffer), 3);
  const OpTotals read = meter_->Totals(Op::kRandomAccessFile_read);
  EXPECT_EQ(read.calls, 2);
  EXPECT_EQ(read.bytes, 8);
  EXPECT_EQ(read.errors, 0);
  const auto writer = *fs_->NewWritableFile("/d/b");
  EXPECT_TRUE(writer->Append("1234567").ok());
  EXPECT_EQ(meter_->Totals(Op::kWritableFile_append).bytes, 7);
}

TEST_F(MeteredTest, MayBeReadWhileThreadsCount) {
  constexpr int kThreads = 4;
  constexpr int kCalls = 1'000;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this] {
      for (int k = 0; k < kCalls; ++k) EXPECT_TRUE(fs_->Stat("/d/a").ok());
    });
  }
  uint64_t last = 0;
  while (last < kThreads * kCalls) {
    const uint64_t calls = meter_->Totals(Op::kFilesystem_stat).calls;
    EXPECT_GE(calls, last);
    last = calls;
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(last, kThreads * kCalls);
}

// Sees starts and ends.
class Recorder final : public OpObserver {
 public:
  void OnStart(const OpStart& start) override {
    seen.push_back("start " + Text(start.scheme, start.op, start.uri));
  }
  void OnCall(const OpCall& call) override {
    seen.push_back("call " + Text(call.scheme, call.op, call.uri) + " " +
                   std::to_string(call.code));
    if (throws) throw std::runtime_error("an observer's own mistake");
  }

  std::vector<std::string> seen;
  bool throws = false;

 private:
  static std::string Text(std::string_view scheme, Op op,
                          std::string_view uri) {
    return std::string(scheme) + " " + std::string(Name(op)) + " " +
           std::string(uri);
  }
};

TEST(MeteredByOthersTest, ShowsCallsToAnyObserver) {
  ScriptedPlugin plugin;
  std::strcpy(plugin.tables.scheme, "s3");
  const auto recorder = std::make_shared<Recorder>();
  const FileSystemPtr fs = *Metered(plugin.Create("s3"), recorder);
  plugin.Fail(Op::kFilesystem_stat, TF_NOT_FOUND, "nothing");
  EXPECT_FALSE(fs->Stat("s3://b/k").ok());
  EXPECT_THAT(recorder->seen,
              ElementsAre("start s3 stat s3://b/k", "call s3 stat s3://b/k 5"));
}

TEST(MeteredByOthersTest, DropsExceptionsOfObservers) {
  ScriptedPlugin plugin;
  const auto recorder = std::make_shared<Recorder>();
  recorder->throws = true;
  const FileSystemPtr fs = *Metered(plugin.Create(), recorder);
  EXPECT_TRUE(fs->Stat("/a").ok());
}

TEST(MeteredByOthersTest, RefusesNoObserver) {
  ScriptedPlugin plugin;
  EXPECT_EQ(Metered(plugin.Create(), nullptr).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(MeteredByOthersTest, CountsACallThatEndsItsThread) {
  ScriptedPlugin plugin;
  const auto meter = std::make_shared<OpMeter>();
  const FileSystemPtr fs = *Metered(plugin.Create(), meter);
  plugin.On(Op::kFilesystem_stat, [](TF_Status*) { pthread_exit(nullptr); });
  std::thread([&] { fs->Stat("scripted:///a").status().IgnoreError(); }).join();
  EXPECT_EQ(meter->Totals(Op::kFilesystem_stat).calls, 1);
  EXPECT_EQ(meter->Totals(Op::kFilesystem_stat).errors, 1);
}

TEST(MeteredByOthersTest, CountsNoBytesOfAnAppendThatFails) {
  ScriptedPlugin plugin;
  const auto meter = std::make_shared<OpMeter>();
  const FileSystemPtr fs = *Metered(plugin.Create(), meter);
  plugin.On(Op::kWritableFile_append, [](TF_Status* status) {
    TF_SetStatus(status, TF_UNAVAILABLE, "503");
  });
  const auto file = *fs->NewWritableFile("scripted:///a");
  EXPECT_FALSE(file->Append("1234567").ok());
  EXPECT_EQ(meter->Totals(Op::kWritableFile_append).errors, 1);
  EXPECT_EQ(meter->Totals(Op::kWritableFile_append).bytes, 0);
}

TEST(MeteredByOthersTest, CountsNoBytesThatCannotBe) {
  ScriptedPlugin plugin;
  const auto meter = std::make_shared<OpMeter>();
  const FileSystemPtr fs = *Metered(plugin.Create(), meter);
  plugin.read = [](uint64_t, size_t, char*, TF_Status*) { return INT64_MAX; };
  char buffer[8];
  const auto file = *fs->NewRandomAccessFile("scripted:///a");
  EXPECT_TRUE(absl::IsInternal(file->Read(0, 8, buffer).status()));
  EXPECT_EQ(meter->Totals(Op::kRandomAccessFile_read).bytes, 0);
}

TEST(MeteredByOthersTest, CountsACallThatThrows) {
  ScriptedPlugin plugin;
  const auto meter = std::make_shared<OpMeter>();
  const FileSystemPtr fs = *Metered(plugin.Create(), meter);
  plugin.On(Op::kFilesystem_stat,
            [](TF_Status*) { throw std::runtime_error("oops"); });
  plugin.read = [](uint64_t, size_t, char*, TF_Status*) -> int64_t {
    throw std::runtime_error("oops");
  };
  EXPECT_FALSE(fs->Stat("scripted:///a").ok());
  char buffer[8];
  const auto file = *fs->NewRandomAccessFile("scripted:///a");
  EXPECT_FALSE(file->Read(0, 8, buffer).ok());
  for (const Op op : {Op::kFilesystem_stat, Op::kRandomAccessFile_read}) {
    EXPECT_EQ(meter->Totals(op).calls, 1);
    EXPECT_EQ(meter->Totals(op).errors, 1);
    EXPECT_EQ(meter->Totals(op).bytes, 0);
  }
}

}  // namespace
}  // namespace fsload
