#include "core/files/read_ahead.h"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/testing/memory_tree.h"
#include "fsload/file_system.h"
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

  std::string contents_;
  MemoryTree tree_;
  const FileSystemPtr files_ = tree_.Open();
};

TEST_P(ReadAheadTest, YieldsTheWholeFileInOrder) {
  const auto file = Open(GetParam());
  ReadAhead blocks(*file);
  std::string all;
  for (;;) {
    const absl::StatusOr<std::string_view> block = blocks.Next();
    ASSERT_EQ(block.status(), absl::OkStatus());
    if (block->empty()) break;
    all += *block;
  }
  EXPECT_TRUE(all == contents_);
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
              absl::UnavailableError("read(/file): injected"));
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
      absl::InternalError("a read ended its thread; what it did is unknown"));
}

}  // namespace
}  // namespace fsload
