// Kills of workers at random moments of calls from several threads: each call
// ends, with an answer or UNAVAILABLE, and nothing is left.
#include <gtest/gtest.h>
#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "fsload/plugin_loader.h"
#include "fsload/retrying.h"
#include "fsload/scheme_registry.h"
#include "fsload/whole_file.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_processes.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr int kThreads = 8;
// That may be kept: .ci/kills makes it 524 bytes for each kill.
constexpr size_t kHeapBytes = size_t{1} << 20;

LoadOptions Options(SchemeRegistry& registry) {
  LoadOptions options;
  options.registry = &registry;
  options.isolation.emplace();
  options.isolation->restarts = 1'000'000;
  return options;
}

bool IsAnswer(const absl::Status& status) {
  // Another thread may have written to what one read.
  return status.ok() || absl::IsNotFound(status) || absl::IsAborted(status) ||
         absl::IsUnavailable(status);
}

// One mixed call, or several.
absl::Status CallOnce(const FileSystem& file_system, const std::string& root,
                      std::mt19937& random) {
  const std::string uri = Format("{}/f{}", root, random() % 8);
  switch (random() % 6) {
    case 0:
      return WriteWholeFile(file_system, uri,
                            std::string(random() % 200'000, 'x'));
    case 1:
      return ReadWholeFile(file_system, uri).status();
    case 2:
      return file_system.GetChildren(root).status();
    case 3:
      return file_system.DeleteFile(uri);
    case 4:
      return file_system.RenameFile(uri, uri + ".moved");
    default:
      return file_system.Stat(uri).status();
  }
}

// Kills workers so many times, up to `longest` microseconds apart: as the
// system does without memory, and as they crash.
void KillWorkers(int kills, unsigned seed, unsigned longest) {
  constexpr int kSignals[] = {SIGKILL, SIGSEGV, SIGABRT, SIGBUS, SIGTERM};
  std::mt19937 random(seed);
  for (int killed = 0; killed < kills;) {
    absl::SleepFor(absl::Microseconds(random() % longest));
    for (const pid_t each : ChildProcesses()) {
      const int signal = kSignals[random() % std::size(kSignals)];
      killed += kill(each, signal) == 0 ? 1 : 0;
    }
  }
}

TEST(KilledWorker, EndsNoCallOtherwiseThanItSays) {
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);  // of the workers, too
  SchemeRegistry registry;
  const size_t mappings = CountMappedMemoryFiles();
  ASSERT_EQ(LoadPlugin("testdata/posix.so", Options(registry)).status,
            absl::OkStatus());
  const size_t descriptors = CountOpenDescriptors();
  const size_t heap = mallinfo2().uordblks;
  {
    const FileSystemPtr file_system = *registry.Find("posix");
    const std::string root = "posix://" + NewPath("killed");
    ASSERT_EQ(file_system->CreateDir(root), absl::OkStatus());
    std::atomic<bool> done{false};
    std::atomic<int> calls{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        std::mt19937 random(i);
        while (!done) {
          const absl::Status status = CallOnce(*file_system, root, random);
          EXPECT_TRUE(IsAnswer(status)) << status;
          ++calls;
        }
      });
    }
    KillWorkers(NumberOfKills(40), 7, 20'000);
    done = true;
    for (std::thread& each : threads) each.join();
    EXPECT_GT(calls, 0);
  }
  EXPECT_EQ(registry.RetireAll(), absl::OkStatus());
  EXPECT_EQ(ChildProcesses().size(), 0);
  EXPECT_LE(mallinfo2().uordblks, heap + kHeapBytes);
  EXPECT_LE(CountOpenDescriptors(), descriptors);
  // The sealed tables of the scheme stay.
  EXPECT_LE(CountMappedMemoryFiles(), mappings + 1);
}

class WorkerOfAPlugin : public testing::TestWithParam<const char*> {};

TEST_P(WorkerOfAPlugin, EndsNoCallOtherwiseThanItSays) {
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  SchemeRegistry registry;
  const size_t mappings = CountMappedMemoryFiles();
  const std::string plugin =
      Format("testdata/hostile_{}_children.so", GetParam());
  ASSERT_EQ(LoadPlugin(plugin, Options(registry)).status, absl::OkStatus());
  const size_t descriptors = CountOpenDescriptors();
  {
    const FileSystemPtr file_system = *registry.Find("hostile");
    const int wanted = NumberOfKills(8);
    std::atomic<int> deeds{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        std::mt19937 random(i);
        while (deeds < wanted) {
          const bool ends = random() % 20 == 0;
          const absl::Status status =
              file_system
                  ->GetChildren(ends ? "hostile:///deed" : "hostile:///quiet")
                  .status();
          EXPECT_TRUE(absl::IsUnavailable(status) || (!ends && status.ok()))
              << status;
          if (ends) ++deeds;
        }
      });
    }
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(file_system->GetChildren("hostile:///quiet").status(),
              absl::OkStatus());
  }
  EXPECT_EQ(registry.RetireAll(), absl::OkStatus());
  EXPECT_EQ(ChildProcesses().size(), 0);
  EXPECT_LE(CountOpenDescriptors(), descriptors);
  EXPECT_LE(CountMappedMemoryFiles(), mappings + 1);
}

INSTANTIATE_TEST_SUITE_P(KilledWorker, WorkerOfAPlugin,
                         testing::Values("crashes", "exits", "overflows_stack",
                                         "quick_exits"));

// Copies the tree; what `file_system` does not repeat by itself is repeated
// here.
void CopyTree(const FileSystem& file_system, const std::string& from,
              const std::string& to) {
  for (const auto& each : std::filesystem::recursive_directory_iterator(from)) {
    const std::string name = each.path().string().substr(from.size());
    const std::string target = "posix://" + to + name;
    absl::Status status;
    do {
      status = each.is_directory()
                   ? file_system.RecursivelyCreateDir(target)
                   : file_system.CopyFile("posix://" + from + name, target);
    } while (absl::IsUnavailable(status));
    EXPECT_EQ(status, absl::OkStatus());
  }
}

TEST(KilledWorker, LosesNothingOfATreeThatIsCopiedWithRetries) {
  SchemeRegistry registry;
  LoadOptions options = Options(registry);
  options.wrap = [](FileSystemPtr inner) {
    RetryOptions retries;
    retries.max_attempts = 1000;
    retries.max_elapsed = absl::Minutes(5);
    retries.max_backoff = absl::Milliseconds(50);
    return Retrying(std::move(inner), retries);
  };
  ASSERT_EQ(LoadPlugin("testdata/posix.so", options).status, absl::OkStatus());
  {
    const FileSystemPtr file_system = *registry.Find("posix");
    const std::string from = NewPath("from");
    for (int i = 0; i < 15; ++i) {
      WriteFile(Format("{}/d{}/f{}", from, i % 3, i),
                std::string(1 + 3'000 * i, static_cast<char>('a' + i % 26)));
    }
    std::atomic<bool> done{false};
    std::thread killer([&done] {
      KillWorkers(NumberOfKills(20), 3, 50'000);
      done = true;
    });
    for (int copies = 0; !done || copies == 0; ++copies) {
      const std::string to = NewPath("to");
      CopyTree(*file_system, from, to);
      for (const auto& each :
           std::filesystem::recursive_directory_iterator(from)) {
        if (each.is_directory()) continue;
        EXPECT_EQ(ReadFile(each.path()),
                  ReadFile(to + each.path().string().substr(from.size())));
      }
      std::filesystem::remove_all(to);
    }
    killer.join();
  }
  EXPECT_EQ(registry.RetireAll(), absl::OkStatus());
}

}  // namespace
}  // namespace fsload
