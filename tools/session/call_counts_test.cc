#include "tools/session/call_counts.h"

#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace fsload {
namespace {

OpCall Call(std::string_view scheme, Op op, int64_t bytes = -1,
            TF_Code code = TF_OK) {
  return {scheme, op, "uri", bytes, std::chrono::nanoseconds(1), code};
}

TEST(CallCountsTest, KnowsNothingOfWhatWasNotCalled) {
  CallCounts counts;
  counts.OnCall(Call("s3", Op::kFilesystem_stat));
  EXPECT_EQ(counts.Of("gs", Op::kFilesystem_stat).calls, 0U);
  EXPECT_EQ(counts.Of("s3", Op::kFilesystem_cleanup).calls, 0U);
}

TEST(CallCountsTest, KeepsSchemesAndOperationsApart) {
  CallCounts counts;
  counts.OnCall(Call("", Op::kFilesystem_stat));
  counts.OnCall(Call("posix", Op::kFilesystem_stat));
  counts.OnCall(Call("posix", Op::kFilesystem_stat));
  counts.OnCall(Call("posix", Op::kFilesystem_create_dir));
  EXPECT_EQ(counts.Of("", Op::kFilesystem_stat).calls, 1U);
  EXPECT_EQ(counts.Of("posix", Op::kFilesystem_stat).calls, 2U);
  EXPECT_EQ(counts.Of("posix", Op::kFilesystem_create_dir).calls, 1U);
}

TEST(CallCountsTest, TakesTheEndOfAFileForNoFailure) {
  CallCounts counts;
  counts.OnCall(Call("s3", Op::kRandomAccessFile_read, 10));
  counts.OnCall(Call("s3", Op::kRandomAccessFile_read, 5, TF_OUT_OF_RANGE));
  counts.OnCall(Call("s3", Op::kRandomAccessFile_read, -1, TF_UNAVAILABLE));
  const CallCounts::Count count = counts.Of("s3", Op::kRandomAccessFile_read);
  EXPECT_EQ(count.calls, 3U);
  EXPECT_EQ(count.failed, 1U);
  EXPECT_EQ(count.bytes, 15U);
}

TEST(CallCountsTest, CountsRetriesByOperationAndCode) {
  CallCounts counts;
  counts.OnRetry("s3", Op::kFilesystem_stat, TF_UNKNOWN, "first");
  counts.OnRetry("s3", Op::kFilesystem_stat, TF_UNKNOWN, "second");
  counts.OnRetry("s3", Op::kFilesystem_stat, TF_UNAVAILABLE, "");
  counts.OnRetry("gs", Op::kFilesystem_stat, TF_UNKNOWN, "");
  const std::vector<CallCounts::Retried> found = counts.RetriedOf("s3");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].code, TF_UNKNOWN);
  EXPECT_EQ(found[0].times, 2U);
  EXPECT_EQ(found[0].message, "second");
  EXPECT_EQ(found[1].times, 1U);
  EXPECT_TRUE(counts.RetriedOf("az").empty());
}

TEST(CallCountsTest, CountsTheCallsOfManyThreads) {
  constexpr int kThreads = 4;
  constexpr int kCalls = 1000;
  CallCounts counts;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&counts] {
      for (int k = 0; k < kCalls; ++k) {
        counts.OnCall(Call(k % 2 == 0 ? "s3" : "gs", Op::kFilesystem_stat));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const char* const scheme : {"s3", "gs"}) {
    EXPECT_EQ(counts.Of(scheme, Op::kFilesystem_stat).calls,
              kThreads * kCalls / 2);
  }
}

}  // namespace
}  // namespace fsload
