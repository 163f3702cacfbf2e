#include "fsload/call_histogram.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "core/testing/allocation_count.h"
#include "core/testing/scripted_plugin.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using std::chrono::nanoseconds;
using testing::ElementsAre;

constexpr Op kRead = Op::kRandomAccessFile_read;
constexpr Op kAppend = Op::kWritableFile_append;
constexpr Op kStat = Op::kFilesystem_stat;

OpCall Call(Op op, TF_Code code, int64_t bytes, nanoseconds duration) {
  return {"scripted", op, "scripted://h/f", bytes, duration, code};
}

// "RandomAccessFile.read 0: 2", the code as a number, and how many calls.
std::vector<std::string> Counts(const CallStatistics& statistics) {
  std::vector<std::string> counts;
  for (const CallStatistics::Row& row : statistics.rows) {
    counts.push_back(std::string(FullName(row.op)) + " " +
                     std::to_string(row.code) + ": " +
                     std::to_string(row.nanoseconds.count()));
  }
  return counts;
}

TEST(CallHistogramTest, CountsTheCallsOfAPluginByOperationAndCode) {
  CallHistogram histogram;
  ScriptedPlugin plugin;
  plugin.tables.observer = &histogram;
  {
    const FileSystemPtr file_system = plugin.Create();
    EXPECT_TRUE(file_system->Stat("/a").ok());
    EXPECT_TRUE(file_system->Stat("/a").ok());
    plugin.Fail(kStat, TF_NOT_FOUND, "nothing there");
    EXPECT_FALSE(file_system->Stat("/a").ok());
    char buffer[100];
    const auto file = file_system->NewRandomAccessFile("/a");
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE((*file)->Read(0, 100, buffer).ok());
  }
  EXPECT_THAT(Counts(histogram.Snapshot()),
              ElementsAre("Filesystem.init 0: 1", "Filesystem.cleanup 0: 1",
                          "Filesystem.new_random_access_file 0: 1",
                          "Filesystem.stat 0: 2", "Filesystem.stat 5: 1",
                          "Filesystem.translate_name 0: 4",
                          "RandomAccessFile.cleanup 0: 1",
                          "RandomAccessFile.read 0: 1"));
  EXPECT_EQ(histogram.Snapshot().BytesOf(kRead).sum(), 100);
}

TEST(CallHistogramTest, TellsDurationsInNanoseconds) {
  CallHistogram histogram;
  histogram.OnCall(Call(kStat, TF_OK, -1, nanoseconds(1024)));
  histogram.OnCall(Call(kStat, TF_NOT_FOUND, -1, nanoseconds(4096)));
  histogram.OnCall(Call(kRead, TF_OK, 1, nanoseconds(7)));
  const Distribution found = histogram.Snapshot().NanosecondsOf(kStat);
  EXPECT_EQ(found.count(), 2);
  EXPECT_EQ(found.sum(), 5120);
  EXPECT_EQ(found.Percentile(50), 1024);
  EXPECT_EQ(found.largest(), 4096);
}

TEST(CallHistogramTest, CountsBytesOnlyOfWhatWasMoved) {
  CallHistogram histogram;
  histogram.OnCall(Call(kAppend, TF_OK, 5, {}));
  histogram.OnCall(Call(kAppend, TF_RESOURCE_EXHAUSTED, 1000, {}));
  histogram.OnCall(Call(kRead, TF_OUT_OF_RANGE, 3, {}));
  histogram.OnCall(Call(kRead, TF_OK, -1, {}));
  const CallStatistics found = histogram.Snapshot();
  EXPECT_EQ(found.BytesOf(kAppend).sum(), 5);
  EXPECT_EQ(found.BytesOf(kRead).sum(), 3);
  EXPECT_EQ(found.BytesOf(kRead).count(), 1);
}

TEST(CallHistogramTest, CountsCodesThatNobodyDefinesAsUnknown) {
  CallHistogram histogram;
  histogram.OnCall(Call(kStat, static_cast<TF_Code>(999), -1, {}));
  histogram.OnCall(Call(kStat, static_cast<TF_Code>(-1), -1, {}));
  EXPECT_THAT(Counts(histogram.Snapshot()),
              ElementsAre("Filesystem.stat 2: 2"));
}

TEST(CallHistogramTest, TakesNegativeDurationsAsNone) {
  CallHistogram histogram;
  histogram.OnCall(Call(kStat, TF_OK, -1, nanoseconds(-5)));
  EXPECT_EQ(histogram.Snapshot().NanosecondsOf(kStat).sum(), 0);
}

TEST(CallHistogramTest, LosesNoCallOfThreads) {
  constexpr int kThreads = 6;
  constexpr int kCalls = 10'000;
  for (const size_t shards : {0, 1, 4}) {
    CallHistogram histogram(shards);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&histogram, i] {
        for (int call = 0; call < kCalls; ++call) {
          histogram.OnCall(Call(kRead, TF_OK, 2, nanoseconds(1000 * i)));
        }
      });
    }
    for (std::thread& each : threads) each.join();
    const CallStatistics found = histogram.Snapshot();
    EXPECT_EQ(found.NanosecondsOf(kRead).count(), kThreads * kCalls);
    EXPECT_EQ(found.NanosecondsOf(kRead).largest(), 5000);
    EXPECT_EQ(found.BytesOf(kRead).sum(), 2 * kThreads * kCalls);
  }
}

TEST(CallHistogramTest, AllocatesNothingPerCall) {
  CallHistogram histogram;
  const size_t before = AllocationsOfThisThread();
  histogram.OnCall(Call(kRead, TF_OK, 2, nanoseconds(5)));
  EXPECT_EQ(AllocationsOfThisThread(), before);
}

TEST(CallStatisticsTest, MergesRowsOfTheSameOperationAndCode) {
  CallHistogram a;
  CallHistogram b;
  a.OnCall(Call(kStat, TF_OK, -1, nanoseconds(1)));
  a.OnCall(Call(kRead, TF_OK, 10, nanoseconds(1)));
  b.OnCall(Call(kStat, TF_NOT_FOUND, -1, nanoseconds(1)));
  b.OnCall(Call(kRead, TF_OK, 20, nanoseconds(1)));
  CallStatistics all = a.Snapshot();
  all.Merge(b.Snapshot());
  EXPECT_THAT(Counts(all),
              ElementsAre("Filesystem.stat 0: 1", "Filesystem.stat 5: 1",
                          "RandomAccessFile.read 0: 2"));
  EXPECT_EQ(all.BytesOf(kRead).sum(), 30);
}

}  // namespace
}  // namespace fsload
