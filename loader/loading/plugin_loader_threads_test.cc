// Loads from many threads at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <future>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/time/time.h"
#include "core/registry/pinned.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "loader/testing/test_files.h"

namespace fsload {
namespace {

using testing::ElementsAre;

constexpr int kThreads = 8;

TEST(PluginLoaderInThreads, LoadsOnePluginOnce) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const std::string path = FreshCopy("testdata/linking/named.so");
  const PluginLog log;
  std::atomic<int> first{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      const LoadReport report = LoadPlugin(path, options);
      EXPECT_EQ(report.status, absl::OkStatus());
      first += !report.loaded_before;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(first, 1);
  EXPECT_THAT(log.Lines(), ElementsAre("TF_InitPlugin named", "init named"));
  EXPECT_EQ(registry.RetireAndWait("named", absl::ZeroDuration()),
            absl::OkStatus());
}

TEST(PluginLoaderInThreads, LoadsDifferentPluginsAndUsesThem) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const char* const kSchemes[] = {"named", "another", "unnamed", "unnamed2"};
  std::vector<std::thread> threads;
  for (const char* scheme : kSchemes) {
    const std::string name = scheme;
    const std::string path = FreshCopy("testdata/linking/" + name + ".so");
    for (int i = 0; i < kThreads / 4; ++i) {
      threads.emplace_back([&registry, &options, name, path] {
        for (int round = 0; round < 20; ++round) {
          ASSERT_EQ(LoadPlugin(path, options).status, absl::OkStatus());
          const Pinned file_system(registry, name);
          ASSERT_TRUE(file_system);
          EXPECT_EQ(
              file_system->FileExists(name + "://a"),
              absl::NotFoundError(name + "://a: nothing here (path_exists)"));
        }
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(registry.Schemes(),
              ElementsAre("another", "named", "unnamed", "unnamed2"));
  for (const char* scheme : kSchemes) {
    EXPECT_EQ(registry.RetireAndWait(scheme, absl::ZeroDuration()),
              absl::OkStatus());
  }
}

// In the child the dynamic linker would still be locked by a thread that does
// not exist there.
TEST(PluginLoaderInThreads, ForkWaitsForALoad) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  std::promise<void> is_loading;
  std::atomic<bool> is_over{false};
  options.on_phase = [&](LoadPhase phase, std::string_view) {
    if (phase != LoadPhase::kEntry) return;
    is_loading.set_value();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    is_over = true;
  };
  const std::string path = FreshCopy("testdata/linking/named.so");
  std::thread loading([&] { LoadPlugin(path, options); });
  is_loading.get_future().wait();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(is_over ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  loading.join();
  EXPECT_EQ(registry.RetireAndWait("named", absl::ZeroDuration()),
            absl::OkStatus());
}

TEST(PluginLoaderInThreads, LoadsWhileOthersRetire) {
  SchemeRegistry registry;
  LoadOptions options;
  options.registry = &registry;
  const std::string path = FreshCopy("testdata/linking/named.so");
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&registry, &options, path, i] {
      for (int round = 0; round < 50; ++round) {
        if (i % 2 == 0) {
          EXPECT_EQ(LoadPlugin(path, options).status, absl::OkStatus());
        } else {
          // NOT_FOUND if another thread was faster; a scheme in use by another
          // thread is cleaned up by that thread.
          const absl::Status status =
              registry.RetireAndWait("named", absl::ZeroDuration());
          EXPECT_TRUE(status.ok() || absl::IsNotFound(status) ||
                      absl::IsDeadlineExceeded(status))
              << status;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(LoadPlugin(path, options).status, absl::OkStatus());
  EXPECT_THAT(registry.Schemes(), ElementsAre("named"));
  EXPECT_EQ(registry.RetireAndWait("named", absl::ZeroDuration()),
            absl::OkStatus());
}

}  // namespace
}  // namespace fsload
