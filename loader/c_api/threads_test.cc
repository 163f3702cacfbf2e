// Many threads use the same handles.
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "loader/c_api/c_api_fixture.h"

namespace fsload {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 50;

// Runs `work` with the number of each thread, at the same time.
template <typename Work>
void InThreads(const Work& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

using CApiThreadsTest = CApiFilesTest;

TEST_P(CApiThreadsTest, ShareReadersRegionsReportsAndRegistries) {
  Write(At("shared"), "hello");
  fsload_reader* reader = nullptr;
  fsload_region* region = nullptr;
  fsload_report* report = nullptr;
  const std::string uri = At("shared");
  ASSERT_EQ(fsload_open_reader(registry_, uri.c_str(), &reader, &error_),
            FSLOAD_OK);
  ASSERT_EQ(fsload_open_region(registry_, uri.c_str(), &region, &error_),
            FSLOAD_OK);
  ASSERT_EQ(
      fsload_load(registry_, "testdata/minimal.so", nullptr, &report, &error_),
      FSLOAD_OK);
  InThreads([&](int thread) {
    fsload_error* error = nullptr;
    const std::string own = At("own" + std::to_string(thread));
    for (int round = 0; round < kRounds; ++round) {
      char text[5];
      size_t count = 0;
      EXPECT_EQ(fsload_read(reader, 0, text, 5, &count, &error), FSLOAD_OK);
      EXPECT_EQ(std::string(text, count), "hello");
      EXPECT_EQ(fsload_region_size(region), 5);
      EXPECT_STREQ(fsload_report_scheme(report, 0)->scheme, "minimal");
      fsload_writer* writer = nullptr;
      ASSERT_EQ(fsload_open_writer(registry_, own.c_str(), &writer, &error),
                FSLOAD_OK);
      EXPECT_EQ(fsload_append(writer, "own", 3, &error), FSLOAD_OK);
      EXPECT_EQ(fsload_close(writer, &error), FSLOAD_OK);
      fsload_writer_free(writer);
      EXPECT_EQ(fsload_create_directory(registry_, own.c_str(), &error),
                FSLOAD_ALREADY_EXISTS);
      fsload_entries* entries = nullptr;
      EXPECT_EQ(
          fsload_list(registry_, root_.c_str(), nullptr, &entries, &error),
          FSLOAD_OK);
      EXPECT_GE(fsload_entries_count(entries), 2);
      fsload_entries_free(entries);
    }
    fsload_error_free(error);
  });
  fsload_reader_free(reader);
  fsload_region_free(region);
  fsload_report_free(report);
}

TEST_P(CApiThreadsTest, ReadFromAFileWhileItsRegistryIsFreed) {
  Write(At("kept"), "hello");
  const std::string uri = At("kept");
  fsload_reader* reader = nullptr;
  ASSERT_EQ(fsload_open_reader(registry_, uri.c_str(), &reader, &error_),
            FSLOAD_OK);
  std::atomic<int> reads{0};
  std::thread freer([&] {
    while (reads < kRounds) std::this_thread::yield();
    fsload_registry_free(registry_);
  });
  InThreads([&](int) {
    char text[5];
    size_t count = 0;
    for (int round = 0; round < 100 * kRounds; ++round, ++reads) {
      ASSERT_EQ(fsload_read(reader, 0, text, 5, &count, nullptr), FSLOAD_OK);
      ASSERT_EQ(std::string(text, count), "hello");
    }
  });
  freer.join();
  fsload_reader_free(reader);
  EXPECT_EQ(fsload_registry_new(&registry_, &error_), FSLOAD_OK);
}

// Each call either finds the scheme or says that it is gone.
TEST_P(CApiThreadsTest, RetireAndLoadWhileOthersCall) {
  const std::string path = std::string("testdata/") + GetParam() + ".so";
  std::atomic<bool> over{false};
  std::thread changer([&] {
    fsload_error* error = nullptr;
    for (int round = 0; round < kRounds; ++round) {
      fsload_retire(registry_, GetParam(), 0, &error);
      EXPECT_EQ(fsload_load(registry_, path.c_str(), nullptr, nullptr, &error),
                FSLOAD_OK)
          << fsload_error_message(error);
    }
    fsload_error_free(error);
    over = true;
  });
  InThreads([&](int) {
    fsload_error* error = nullptr;
    while (!over) {
      fsload_statistics statistics = {};
      statistics.struct_size = sizeof(statistics);
      const fsload_code code =
          fsload_stat(registry_, root_.c_str(), &statistics, &error);
      EXPECT_TRUE(code == FSLOAD_OK || code == FSLOAD_NOT_FOUND)
          << fsload_error_message(error);
    }
    fsload_error_free(error);
  });
  changer.join();
}

INSTANTIATE_TEST_SUITE_P(Of, CApiThreadsTest,
                         ::testing::Values("posix", "memory"),
                         [](const auto& info) { return info.param; });

using CApiObserverThreadsTest = CApiTest;

// After the stop the data may go: the counter would be used after its end.
TEST_F(CApiObserverThreadsTest, StopAnObserverWhileOthersCall) {
  auto calls = std::make_unique<std::atomic<int>>(0);
  fsload_callbacks callbacks = {};
  callbacks.struct_size = sizeof(callbacks);
  callbacks.data = calls.get();
  callbacks.after_call = [](void* data, const fsload_call*) {
    ++*static_cast<std::atomic<int>*>(data);
  };
  fsload_observer* observer = nullptr;
  ASSERT_EQ(fsload_observer_new(&callbacks, &observer, &error_), FSLOAD_OK);
  fsload_load_options options = {};
  options.struct_size = sizeof(options);
  options.observer = observer;
  const std::string path = FreshCopy("testdata/minimal.so");
  ASSERT_EQ(fsload_load(registry_, path.c_str(), &options, nullptr, &error_),
            FSLOAD_OK);
  std::atomic<bool> over{false};
  std::thread stopper([&] {
    while (*calls < kRounds) std::this_thread::yield();
    fsload_observer_stop(observer);
    calls.reset();
    over = true;
  });
  InThreads([&](int) {
    int exists = 0;
    while (!over) fsload_exists(registry_, "minimal:///a", &exists, nullptr);
  });
  stopper.join();
}

}  // namespace
}  // namespace fsload
