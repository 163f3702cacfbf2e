#include "core/files/read_ahead.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "absl/base/config.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
#include "fsload/filesystem_interface.h"
#include "fsload/tf_status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace fsload {
namespace {

constexpr size_t kMebibyte = size_t{1} << 20;
constexpr std::chrono::seconds kDeadline{60};

class ReadAheadTest : public ::testing::TestWithParam<size_t> {
 protected:
  // Opens a file whose bytes encode their position.
  std::unique_ptr<RandomAccessFile> Open(size_t bytes) {
    contents_.resize(bytes);
    for (size_t i = 0; i < bytes; ++i) {
      contents_[i] = static_cast<char>(i * 7 + i / 4096);
    }
    tree_.AddFile("/file", contents_);
    auto file = files_->NewRandomAccessFile("/file");
    EXPECT_EQ(file.status(), absl::OkStatus());
    tree_.ForgetCalls();
    return *std::move(file);
  }

  // All blocks, up to one that fails, which fails the test.
  static std::string ReadAll(ReadAhead& blocks) {
    std::string all;
    for (;;) {
      const absl::StatusOr<std::string_view> block = blocks.Next();
      EXPECT_EQ(block.status(), absl::OkStatus());
      if (!block.ok() || block->empty()) return all;
      all += *block;
    }
  }

  std::string contents_;
  MemoryTree tree_;
  const FileSystemPtr files_ = tree_.Open();
};

TEST_P(ReadAheadTest, YieldsTheWholeFileInOrder) {
  const auto file = Open(GetParam());
  ReadAhead blocks(*file);
  EXPECT_TRUE(ReadAll(blocks) == contents_);
  EXPECT_EQ(tree_.calls(), GetParam() / kMebibyte + 1);
}

INSTANTIATE_TEST_SUITE_P(Bytes, ReadAheadTest,
                         ::testing::Values(0, 1, kMebibyte - 1, kMebibyte,
                                           kMebibyte + 1, 5 * kMebibyte,
                                           5 * kMebibyte + 3));

TEST_F(ReadAheadTest, ReadsTheNextBlockWhileTheCallerHasOne) {
  const auto file = Open(4 * kMebibyte);
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t reads = 0;
  tree_.after_call = [&](Op, uint64_t calls) {
    const std::lock_guard<std::mutex> lock(mutex);
    reads = calls;
    changed.notify_all();
  };
  ReadAhead blocks(*file);
  ASSERT_EQ(blocks.Next().status(), absl::OkStatus());
  std::unique_lock<std::mutex> lock(mutex);
  EXPECT_TRUE(changed.wait_for(lock, kDeadline, [&] { return reads == 2; }));
}

TEST_F(ReadAheadTest, ReadsAFileOfLessThanABlockInTheCallersThread) {
  const auto file = Open(kMebibyte - 1);
  const std::thread::id caller = std::this_thread::get_id();
  tree_.after_call = [&](Op, uint64_t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
  };
  ReadAhead blocks(*file);
  EXPECT_EQ(blocks.Next()->size(), kMebibyte - 1);
  EXPECT_EQ(*blocks.Next(), "");
  EXPECT_EQ(tree_.calls(), 1);
}

TEST_F(ReadAheadTest, FailsAsTheReadDoesAndIsThenAtTheEnd) {
  for (uint64_t call = 1; call <= 4; ++call) {
    const auto file = Open(3 * kMebibyte);
    tree_.fault = Fault{call};
    ReadAhead blocks(*file);
    for (uint64_t i = 1; i < call; ++i) {
      EXPECT_EQ(blocks.Next()->size(), kMebibyte);
    }
    EXPECT_EQ(blocks.Next().status(),
              absl::UnavailableError("/file: injected (read)"));
    EXPECT_EQ(*blocks.Next(), "");
    tree_.fault.reset();
  }
}

TEST_F(ReadAheadTest, WaitsForTheReadThatIsUnderWay) {
  const auto file = Open(3 * kMebibyte);
  std::promise<void> begun;
  bool returned = false;
  tree_.after_call = [&](Op, uint64_t calls) {
    if (calls != 2) return;
    begun.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    returned = true;
  };
  {
    ReadAhead blocks(*file);
    ASSERT_EQ(blocks.Next().status(), absl::OkStatus());
    begun.get_future().wait();
  }
  EXPECT_TRUE(returned);
}

TEST_F(ReadAheadTest, SaysThatAReadEndedItsThread) {
  const auto file = Open(3 * kMebibyte);
  tree_.after_call = [&](Op, uint64_t calls) {
    if (calls == 2) pthread_exit(nullptr);
  };
  ReadAhead blocks(*file);
  ASSERT_EQ(blocks.Next().status(), absl::OkStatus());
  EXPECT_EQ(
      blocks.Next().status(),
      absl::InternalError(
          "the plugin ended the thread of a read; what it did is unknown"));
}

constexpr ReadAheadSize kThree = {3, 2 * kMebibyte};

// The blocks of `bytes` bytes: 1 MiB, then 2 each, the last shorter.
uint64_t BlocksOf(size_t bytes) {
  return bytes < kMebibyte ? 1 : (bytes - kMebibyte) / kThree.bytes + 2;
}

TEST_P(ReadAheadTest, YieldsTheWholeFileInOrderFromSeveralThreads) {
  const auto bytes = static_cast<int64_t>(GetParam());
  for (const int64_t expected :
       {bytes, bytes / 2, int64_t{0}, int64_t{-1}, bytes + 1}) {
    const auto file = Open(GetParam());
    ReadAhead blocks(*file, kThree, expected);
    EXPECT_TRUE(ReadAll(blocks) == contents_);
    if (expected <= bytes) {
      EXPECT_EQ(tree_.calls(), BlocksOf(GetParam()));
    }
  }
}

TEST_P(ReadAheadTest, YieldsARangeAndReadsNothingOutsideIt) {
  const auto file = Open(5 * kMebibyte + 3);
  for (const uint64_t offset : {size_t{0}, size_t{1}, 4 * kMebibyte}) {
    for (const ReadAheadSize& size : {kDiskReadAhead, kThree}) {
      tree_.ForgetCalls();
      ReadAhead blocks(*file, size, 100 * kMebibyte, {offset, GetParam()});
      const std::string expected = contents_.substr(offset, GetParam());
      EXPECT_TRUE(ReadAll(blocks) == expected) << offset;
      if (expected.size() < GetParam()) continue;
      const uint64_t first = std::min(GetParam(), kMebibyte);
      EXPECT_EQ(
          tree_.calls(),
          (first > 0) + (GetParam() - first + size.bytes - 1) / size.bytes)
          << offset;
    }
  }
}

TEST_F(ReadAheadTest, YieldsNothingBeyondWhatAFileCanHave) {
  const auto file = Open(5);
  for (const ByteRange& range : {ByteRange{UINT64_MAX, UINT64_MAX},
                                 ByteRange{INT64_MAX, 1}, ByteRange{0, 0}}) {
    ReadAhead blocks(*file, kDiskReadAhead, 0, range);
    EXPECT_EQ(*blocks.Next(), "");
  }
  EXPECT_EQ(tree_.calls(), 0);
}

TEST_F(ReadAheadTest, ReadsFartherAheadOnceItKnowsTheLength) {
  const auto file = Open(9 * kMebibyte);
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t reads = 0;
  tree_.after_call = [&](Op, uint64_t calls) {
    const std::lock_guard<std::mutex> lock(mutex);
    reads = calls;
    changed.notify_all();
  };
  ReadAhead blocks(*file, kThree);
  ASSERT_EQ(blocks.Next().status(), absl::OkStatus());
  blocks.Expect(9 * kMebibyte);
  ASSERT_EQ(blocks.Next().status(), absl::OkStatus());
  std::unique_lock<std::mutex> lock(mutex);
  EXPECT_TRUE(changed.wait_for(lock, kDeadline, [&] { return reads == 5; }));
}

// Reads of an endless file, which wait until `at_once` of them have begun.
struct Meeting {
  std::mutex mutex;
  std::condition_variable changed;
  size_t at_once = 0;
  size_t begun = 0;
};
Meeting g_meeting;

int64_t ReadTogether(const TF_RandomAccessFile*, uint64_t offset, size_t n,
                     char* buffer, TF_Status* status) {
  std::memset(buffer, 'x', n);
  TF_SetStatus(status, TF_OK, "");
  if (offset == 0) return static_cast<int64_t>(n);
  std::unique_lock<std::mutex> lock(g_meeting.mutex);
  ++g_meeting.begun;
  g_meeting.changed.notify_all();
  EXPECT_TRUE(g_meeting.changed.wait_for(
      lock, kDeadline, [] { return g_meeting.begun >= g_meeting.at_once; }));
  return static_cast<int64_t>(n);
}

TEST_F(ReadAheadTest, ReadsSeveralBlocksAtOnceAndNotMore) {
  SchemeTables tables = MemoryTree::Tables();
  tables.random_access_file.read = &ReadTogether;
  tree_.AddFile("/file");
  const auto file = tree_.Open(tables)->NewRandomAccessFile("/file");
  ASSERT_EQ(file.status(), absl::OkStatus());
  g_meeting.at_once = kThree.blocks;
  ReadAhead blocks(**file, kThree, 100 * kMebibyte);
  ASSERT_EQ(blocks.Next().status(), absl::OkStatus());
  ASSERT_EQ(blocks.Next()->size(), kThree.bytes);
  // The second block is the caller's, and three are ahead of it.
  const std::lock_guard<std::mutex> lock(g_meeting.mutex);
  EXPECT_LE(g_meeting.begun, 1 + kThree.blocks);
}

TEST_F(ReadAheadTest, FailsAtTheFirstBlockThatFailsAndIsThenAtTheEnd) {
  for (uint64_t call = 1; call <= 4; ++call) {
    const auto file = Open(7 * kMebibyte);
    tree_.fault = Fault{call};
    {
      ReadAhead blocks(*file, kThree, 7 * kMebibyte);
      absl::StatusOr<std::string_view> block;
      for (uint64_t i = 0; i <= 4; ++i) {
        block = blocks.Next();
        if (!block.ok()) break;
      }
      EXPECT_EQ(block.status(),
                absl::UnavailableError("/file: injected (read)"));
      EXPECT_EQ(*blocks.Next(), "");
    }
    tree_.fault.reset();
  }
}

TEST_F(ReadAheadTest, GoesOnWithoutThreadsThatReadsEnded) {
  const auto file = Open(20 * kMebibyte);
  tree_.after_call = [&](Op, uint64_t calls) {
    if (calls > 1) pthread_exit(nullptr);
  };
  ReadAhead blocks(*file, kThree, 20 * kMebibyte);
  ASSERT_EQ(blocks.Next().status(), absl::OkStatus());
  EXPECT_EQ(
      blocks.Next().status(),
      absl::InternalError(
          "the plugin ended the thread of a read; what it did is unknown"));
  EXPECT_EQ(*blocks.Next(), "");
}

// The sanitizers' allocators end the process instead.
#if !defined(ABSL_HAVE_ADDRESS_SANITIZER) && \
    !defined(ABSL_HAVE_THREAD_SANITIZER)
TEST_F(ReadAheadTest, SaysThatThereIsNoMemory) {
  const auto file = Open(1);
  ReadAhead blocks(*file, ReadAheadSize{1, size_t{1} << 48});
  EXPECT_EQ(blocks.Next().status(),
            absl::ResourceExhaustedError(
                "/file: no memory to read a block of 281474976710656 bytes"));
  EXPECT_EQ(*blocks.Next(), "");
}
#endif

}  // namespace
}  // namespace fsload
