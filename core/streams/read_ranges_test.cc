#include "fsload/read_ranges.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/filesystem_interface.h"
#include "fsload/op.h"
#include "fsload/tf_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr size_t kBytes = 1000;

// What the reads of a test do in place of the file's.
std::function<int64_t(uint64_t offset, size_t n, char* buffer, TF_Status*)>
    g_read;

int64_t ReadAsTold(const TF_RandomAccessFile*, uint64_t offset, size_t n,
                   char* buffer, TF_Status* status) {
  return g_read(offset, n, buffer, status);
}

class ReadRangesTest : public ::testing::Test {
 protected:
  ReadRangesTest() {
    for (size_t i = 0; i < kBytes; ++i) {
      contents_ += static_cast<char>(i * 7 + i / 256);
    }
    tree_.AddFile("/file", contents_);
  }

  std::unique_ptr<RandomAccessFile> Open(
      const SchemeTables& tables = MemoryTree::Tables()) {
    auto file = tree_.Open(tables)->NewRandomAccessFile("/file");
    EXPECT_EQ(file.status(), absl::OkStatus());
    tree_.ForgetCalls();
    return *std::move(file);
  }

  static std::unique_ptr<RandomAccessFile> OpenAsTold(MemoryTree& tree) {
    SchemeTables tables = MemoryTree::Tables();
    tables.random_access_file.read = ReadAsTold;
    return *tree.Open(tables)->NewRandomAccessFile("/file");
  }

  // What a read of the contents answers.
  int64_t Answer(uint64_t offset, size_t n, char* buffer,
                 TF_Status* status) const {
    const size_t bytes =
        offset < kBytes ? contents_.copy(buffer, n, offset) : 0;
    TF_SetStatus(status, bytes < n ? TF_OUT_OF_RANGE : TF_OK, "");
    return static_cast<int64_t>(bytes);
  }

  std::string Part(const ByteRange& range) const {
    return range.offset < kBytes ? contents_.substr(range.offset, range.length)
                                 : "";
  }

  uint64_t Reads() const { return tree_.calls(Op::kRandomAccessFile_read); }

  std::string contents_;
  MemoryTree tree_;
};

TEST_F(ReadRangesTest, YieldsEachRangeInTheCallersOrder) {
  const std::vector<ByteRange> ranges = {{500, 20}, {0, 5}, {500, 20},
                                         {505, 5},  {7, 0}, {2, 600}};
  const auto read = ReadRanges(*Open(), ranges);
  ASSERT_EQ(read.status(), absl::OkStatus());
  ASSERT_EQ(read->size(), ranges.size());
  for (size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_EQ((*read)[i], Part(ranges[i])) << i;
  }
}

TEST_F(ReadRangesTest, YieldsWhatTheFileHasWhateverTheRangesAndRequests) {
  std::mt19937 random(17);  // NOLINT: the same each time
  const auto file = Open();
  for (int i = 0; i < 400; ++i) {
    ReadRangesOptions options;
    options.max_gap_bytes = random() % 40;
    options.max_request_bytes = 1 + random() % (i % 2 == 0 ? 50 : 2000);
    options.max_requests = 1 + random() % 4;
    tree_.deviations.max_bytes_per_read =
        i % 3 == 0 ? 1 + random() % 9 : SIZE_MAX;
    std::vector<ByteRange> ranges(random() % 30);
    for (ByteRange& range : ranges) {
      range = {random() % (kBytes + 100), random() % (i % 5 == 0 ? 1500 : 60)};
    }
    const auto read = ReadRanges(*file, ranges, options);
    ASSERT_EQ(read.status(), absl::OkStatus());
    ASSERT_EQ(read->size(), ranges.size());
    for (size_t k = 0; k < ranges.size(); ++k) {
      ASSERT_EQ((*read)[k], Part(ranges[k])) << i << " " << k;
    }
  }
}

TEST_F(ReadRangesTest, ReadsRangesThatAreNearEachOtherInOneRequest) {
  struct Case {
    std::vector<ByteRange> ranges;
    uint64_t reads;
  };
  ReadRangesOptions options;
  options.max_gap_bytes = 10;
  options.max_request_bytes = 100;
  const Case cases[] = {
      {{}, 0},
      {{{5, 0}, {2000, 0}}, 0},
      {{{0, 10}, {20, 10}}, 1},         // a gap of 10
      {{{0, 10}, {21, 10}}, 2},         // of 11
      {{{0, 10}, {10, 10}}, 1},         // none
      {{{0, 10}, {0, 10}, {5, 2}}, 1},  // twice, and inside
      {{{0, 50}, {40, 60}}, 1},         // overlapping, 100 bytes in all
      {{{0, 50}, {40, 61}}, 2},         // 101
      {{{0, 300}}, 3},                  // longer than a request
      {{{0, 301}}, 4},
      {{{0, 250}, {100, 10}, {240, 20}}, 3},
  };
  const auto file = Open();
  for (const Case& each : cases) {
    tree_.ForgetCalls();
    ASSERT_EQ(ReadRanges(*file, each.ranges, options).status(),
              absl::OkStatus());
    EXPECT_EQ(Reads(), each.reads) << &each - cases;
  }
}

TEST_F(ReadRangesTest, AsksNothingMoreOfARangeBeyondTheEnd) {
  ReadRangesOptions options;
  options.max_request_bytes = 600;
  options.max_requests = 1;
  const auto read = ReadRanges(*Open(), {{0, 1'000'000}}, options);
  ASSERT_EQ(read.status(), absl::OkStatus());
  EXPECT_EQ(read->front(), contents_);
  EXPECT_LT(read->front().capacity(), 10 * kBytes);
  EXPECT_EQ(Reads(), 2);
}

TEST_F(ReadRangesTest, RefusesRangesBeyondTheLargestOffset) {
  const auto file = Open();
  for (const ByteRange& range :
       {ByteRange{UINT64_MAX, 2}, ByteRange{2, UINT64_MAX},
        ByteRange{INT64_MAX, 1}, ByteRange{uint64_t{1} << 63, 0}}) {
    const absl::Status status = ReadRanges(*file, {{0, 1}, range}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("/file: range 1 of " + std::to_string(range.length) +
                          " bytes at offset " + std::to_string(range.offset) +
                          " ends beyond the largest offset"));
  }
  EXPECT_EQ(Reads(), 0);
  const auto last = ReadRanges(*file, {{INT64_MAX - 5, 5}});
  ASSERT_EQ(last.status(), absl::OkStatus());
  EXPECT_THAT(*last, ElementsAre(""));
}

TEST_F(ReadRangesTest, RefusesMoreBytesThanAllowedBeforeItReads) {
  ReadRangesOptions options;
  options.max_bytes = 30;
  const auto file = Open();
  EXPECT_EQ(ReadRanges(*file, {{0, 10}, {0, 20}}, options).status(),
            absl::OkStatus());
  tree_.ForgetCalls();
  for (const std::vector<ByteRange>& ranges :
       {std::vector<ByteRange>{{0, 31}},
        std::vector<ByteRange>{{0, 10}, {0, 20}, {0, 1}},
        std::vector<ByteRange>{{0, INT64_MAX}, {0, INT64_MAX}}}) {
    const absl::Status status = ReadRanges(*file, ranges, options).status();
    EXPECT_EQ(status, absl::ResourceExhaustedError(
                          "/file: the ranges have more than 30 bytes; raise "
                          "ReadRangesOptions::max_bytes, or read fewer at "
                          "once (read)"));
  }
  EXPECT_EQ(Reads(), 0);
}

TEST_F(ReadRangesTest, RefusesRequestsOfNothing) {
  ReadRangesOptions no_bytes;
  no_bytes.max_request_bytes = 0;
  ReadRangesOptions no_requests;
  no_requests.max_requests = 0;
  for (const ReadRangesOptions& options : {no_bytes, no_requests}) {
    EXPECT_EQ(ReadRanges(*Open(), {{0, 1}}, options).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
}

TEST_F(ReadRangesTest, FailsAsTheFirstRangeDoesInTheCallersOrder) {
  const auto file = OpenAsTold(tree_);
  // Each read that has a byte from 100 on fails.
  g_read = [this](uint64_t offset, size_t n, char* buffer, TF_Status* status) {
    if (offset + n <= 100) return Answer(offset, n, buffer, status);
    TF_SetStatus(status, TF_UNAVAILABLE,
                 ("no bytes at " + std::to_string(offset)).c_str());
    return int64_t{-1};
  };
  ReadRangesOptions options;
  options.max_gap_bytes = 0;
  for (const size_t threads : {1, 4}) {
    options.max_requests = threads;
    EXPECT_EQ(
        ReadRanges(*file, {{10, 5}, {900, 7}, {300, 5}, {50, 5}}, options)
            .status(),
        absl::UnavailableError("/file: no bytes at 900 (read); range 1 of "
                               "7 bytes at offset 900"));
    EXPECT_EQ(
        ReadRanges(*file, {{300, 5}, {900, 7}, {10, 5}}, options).status(),
        absl::UnavailableError("/file: no bytes at 300 (read); range 0 of 5 "
                               "bytes at offset 300"));
  }
}

TEST_F(ReadRangesTest, FailsWhicheverReadDoes) {
  ReadRangesOptions options;
  options.max_gap_bytes = 0;
  options.max_request_bytes = 100;
  const auto file = Open();
  for (uint64_t call = 1; call <= 6; ++call) {
    tree_.ForgetCalls();
    tree_.fault = Fault{call};
    const absl::Status status =
        ReadRanges(*file, {{0, 300}, {500, 20}, {600, 20}, {700, 1}}, options)
            .status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << call;
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("/file: injected (read); range "));
  }
}

// Requests for what a long range has beyond the end are made at the same time
// as the one that finds the end.
TEST_F(ReadRangesTest, ForgivesAPluginThatRefusesToReadBeyondTheEnd) {
  std::atomic<int> refused{0};
  size_t threads = 1;
  g_read = [&](uint64_t offset, size_t n, char* buffer, TF_Status* status) {
    if (offset > kBytes) {
      ++refused;
      TF_SetStatus(status, TF_INVALID_ARGUMENT, "beyond the end");
      return int64_t{-1};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const bool finds_end = offset + n > kBytes;
    for (int i = 0; i < 2000 && finds_end && threads > 1 && refused == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return Answer(offset, n, buffer, status);
  };
  ReadRangesOptions options;
  options.max_gap_bytes = 0;
  options.max_request_bytes = 160;
  const std::vector<ByteRange> ranges = {
      {100, 10'000}, {20, 10}, {3'000, 0}, {50, 5}, {990, 5}};
  for (const size_t most : {1, 2, 8}) {
    options.max_requests = threads = most;
    refused = 0;
    const auto read = ReadRanges(*OpenAsTold(tree_), ranges, options);
    ASSERT_EQ(read.status(), absl::OkStatus()) << most;
    EXPECT_EQ(refused > 0, most > 1);
    for (size_t i = 0; i < ranges.size(); ++i) {
      EXPECT_EQ((*read)[i], Part(ranges[i])) << i;
    }
  }
  EXPECT_EQ(ReadRanges(*OpenAsTold(tree_), {{2'000, 5}}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ReadRangesTest, CutsARangeWhereTheFirstReadEnded) {
  // Whoever reads, the file ends in the second hundred bytes.
  g_read = [this](uint64_t offset, size_t n, char* buffer, TF_Status* status) {
    if (offset < 100) return Answer(offset, n, buffer, status);
    const int64_t bytes =
        offset == 100 ? Answer(offset, 30, buffer, status) : 0;
    TF_SetStatus(status, TF_OUT_OF_RANGE, "");
    return bytes;
  };
  ReadRangesOptions options;
  options.max_gap_bytes = 0;
  options.max_request_bytes = 100;
  const auto read =
      ReadRanges(*OpenAsTold(tree_), {{0, 300}, {100, 50}, {250, 10}}, options);
  ASSERT_EQ(read.status(), absl::OkStatus());
  EXPECT_THAT(*read, ElementsAre(Part({0, 130}), Part({100, 30}), ""));
}

class EarlyEndTest : public ReadRangesTest {
 protected:
  // Reads of the second hundred bytes say that the file ends in them, this
  // often, and the others do not.
  absl::StatusOr<std::vector<std::string>> ReadWithEarlyEnds(int ends) {
    std::atomic<int> left{ends};
    g_read = [&](uint64_t offset, size_t n, char* buffer, TF_Status* status) {
      const bool is_early = offset == 100 && left-- > 0;
      const int64_t bytes = Answer(offset, is_early ? 30 : n, buffer, status);
      if (is_early) TF_SetStatus(status, TF_OUT_OF_RANGE, "");
      return bytes;
    };
    ReadRangesOptions options;
    options.max_gap_bytes = 0;
    options.max_request_bytes = 100;
    return ReadRanges(*OpenAsTold(tree_), {{0, 300}, {100, 50}, {250, 10}},
                      options);
  }
};

TEST_F(EarlyEndTest, IsNoneWhereThereAreBytesBehindIt) {
  EXPECT_EQ(ReadWithEarlyEnds(INT_MAX).status(),
            absl::DataLossError("/file: the plugin reported end of file after "
                                "130 bytes, and read bytes up to 300 (read)"));
}

TEST_F(EarlyEndTest, IsReadAgainBecauseTheFileMayHaveGrown) {
  const auto read = ReadWithEarlyEnds(1);
  ASSERT_EQ(read.status(), absl::OkStatus());
  EXPECT_THAT(*read,
              ElementsAre(Part({0, 300}), Part({100, 50}), Part({250, 10})));
}

TEST_F(ReadRangesTest, BelievesNoCountAboveWhatItAskedFor) {
  g_read = [](uint64_t, size_t n, char*, TF_Status* status) {
    TF_SetStatus(status, TF_OK, "");
    return static_cast<int64_t>(n + 1);
  };
  const absl::Status status =
      ReadRanges(*OpenAsTold(tree_), {{0, 10}}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("the buffer cannot be trusted"));
}

TEST_F(ReadRangesTest, ReadsSeveralAtOnceAndNotMore) {
  std::atomic<int> now{0};
  std::atomic<int> most{0};
  g_read = [&](uint64_t offset, size_t n, char* buffer, TF_Status* status) {
    const int here = ++now;
    for (int before = most; here > before;) {
      if (most.compare_exchange_weak(before, here)) break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --now;
    return Answer(offset, n, buffer, status);
  };
  ReadRangesOptions options;
  options.max_gap_bytes = 0;
  options.max_requests = 3;
  std::vector<ByteRange> ranges;
  for (uint64_t i = 0; i < 30; ++i) ranges.push_back({i * 20, 10});
  EXPECT_EQ(ReadRanges(*OpenAsTold(tree_), ranges, options).status(),
            absl::OkStatus());
  EXPECT_EQ(most, 3);
}

TEST_F(ReadRangesTest, SaysThatAReadEndedItsThread) {
  const std::thread::id caller = std::this_thread::get_id();
  g_read = [&](uint64_t offset, size_t n, char* buffer, TF_Status* status) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (std::this_thread::get_id() != caller) pthread_exit(nullptr);
    return Answer(offset, n, buffer, status);
  };
  ReadRangesOptions options;
  options.max_gap_bytes = 0;
  std::vector<ByteRange> ranges;
  for (uint64_t i = 0; i < 30; ++i) ranges.push_back({i * 20, 10});
  EXPECT_EQ(ReadRanges(*OpenAsTold(tree_), ranges, options).status(),
            absl::InternalError(
                "/file: the plugin ended the thread of a call; what it did "
                "is unknown (read)"));
}

}  // namespace
}  // namespace fsload
