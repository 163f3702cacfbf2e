// Many plugins, calls, loads, opens, entries and forks in one process. Few of
// each, unless FSLOAD_TEST_ENDURANCE is set (.ci/endurance); figures are
// printed.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "fsload/file_system.h"
#include "fsload/load_report.h"
#include "fsload/plugin_loader.h"
#include "fsload/scheme_registry.h"
#include "fsload/whole_file.h"
#include "loader/testing/test_files.h"
#include "loader/testing/test_processes.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// What memory may grow by while nothing is kept: heaps of threads, mostly.
constexpr int64_t kSlack = int64_t{8} << 20;

int64_t Times(int64_t few, int64_t many) {
  return std::getenv("FSLOAD_TEST_ENDURANCE") == nullptr ? few : many;
}

// Returns the bytes of this process that are in memory.
int64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  int64_t all = 0;
  int64_t resident = 0;
  file >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

int64_t CountMappings() {
  std::ifstream file("/proc/self/maps");
  int64_t count = 0;
  for (std::string line; std::getline(file, line);) ++count;
  return count;
}

// Measures a part, and prints it as "NAME: TEXT".
class Figures {
 public:
  absl::Duration elapsed() const { return absl::Now() - begin_; }
  int64_t bytes() const { return ResidentBytes() - bytes_; }
  int64_t descriptors() const {
    return static_cast<int64_t>(CountOpenDescriptors()) - descriptors_;
  }
  int64_t mappings() const { return CountMappings() - mappings_; }

  void Print(std::string_view name, std::string_view text) const {
    std::cout << Format("{}: {}, {} s, {} KiB more, {} mappings more", name,
                        text, absl::ToDoubleSeconds(elapsed()), bytes() / 1024,
                        mappings())
              << std::endl;
  }

 private:
  const absl::Time begin_ = absl::Now();
  const int64_t bytes_ = ResidentBytes();
  const int64_t descriptors_ = static_cast<int64_t>(CountOpenDescriptors());
  const int64_t mappings_ = CountMappings();
};

LoadOptions OptionsOf(SchemeRegistry& registry) {
  LoadOptions options;
  options.registry = &registry;
  return options;
}

// Returns the plugin's bytes with another number in the names of its schemes.
std::string Numbered(std::string bytes, int64_t number) {
  constexpr std::string_view kMark = "number.000000";
  const size_t at = bytes.find(kMark);
  if (at == std::string::npos) std::abort();
  const std::string digits = std::to_string(number);
  return bytes.replace(at + kMark.size() - digits.size(), digits.size(),
                       digits);
}

std::string SchemeName(int64_t plugin, int64_t scheme) {
  return Format("number.{:06}.{}", plugin, scheme);
}

// Returns the mean time of one look-up among all schemes of `plugins` plugins.
absl::Duration TimeOfFind(SchemeRegistry& registry, int64_t plugins) {
  constexpr int kLookups = 100'000;
  std::mt19937_64 random(1);
  std::vector<std::string> names;
  for (int i = 0; i < 1000; ++i) {
    names.push_back(SchemeName(static_cast<int64_t>(random() % plugins),
                               static_cast<int64_t>(random() % 10)));
  }
  const absl::Time begin = absl::Now();
  for (int i = 0; i < kLookups; ++i) {
    if (!registry.Find(names[i % names.size()]).ok()) std::abort();
  }
  return (absl::Now() - begin) / kLookups;
}

TEST(Endurance, ManySchemes) {
  const std::string bytes = ReadFile("testdata/null_schemes.so");
  const int64_t plugins = Times(30, 1000);
  SchemeRegistry registry;
  const Figures all;
  absl::Duration find_among_few;
  for (int64_t i = 0; i < plugins; ++i) {
    const LoadReport report = LoadPluginFromBytes(
        Format("plugin {}", i), Numbered(bytes, i), OptionsOf(registry));
    ASSERT_EQ(report.status, absl::OkStatus()) << i;
    if (i == 9) find_among_few = TimeOfFind(registry, 10);
  }
  for (int64_t i = 0; i < plugins; ++i) {
    EXPECT_TRUE(registry.Find(SchemeName(i, i % 10)).ok()) << i;
  }
  const absl::Duration find = TimeOfFind(registry, plugins);
  all.Print(
      "plugins",
      Format("{} with 10 schemes each, {} KiB and {} ms each, {} ns to find "
             "one of 100, {} ns to find one of {}",
             plugins, all.bytes() / 1024 / plugins,
             absl::ToDoubleMilliseconds(all.elapsed()) / plugins,
             absl::ToDoubleNanoseconds(find_among_few),
             absl::ToDoubleNanoseconds(find), 10 * plugins));
  EXPECT_LE(all.descriptors(), plugins);  // the private copies
  EXPECT_EQ(registry.RetireAll(), absl::OkStatus());
}

TEST(Endurance, LoadsAndRetires) {
  const int64_t times = Times(100, 10'000);
  SchemeRegistry registry;
  const auto load_and_retire = [&registry] {
    ASSERT_EQ(LoadPlugin("testdata/posix.so", OptionsOf(registry)).status,
              absl::OkStatus());
    ASSERT_EQ(registry.RetireAll(), absl::OkStatus());
  };
  for (int i = 0; i < 10; ++i) load_and_retire();
  const Figures all;
  for (int64_t i = 0; i < times; ++i) load_and_retire();
  all.Print("loads", Format("{} times loaded and retired", times));
  EXPECT_LE(all.descriptors(), 0);
  EXPECT_LE(all.bytes(), kSlack);
}

TEST(Endurance, Opens) {
  const int64_t times = Times(10'000, 1'000'000);
  SchemeRegistry registry;
  ASSERT_EQ(LoadPlugin("testdata/posix.so", OptionsOf(registry)).status,
            absl::OkStatus());
  const FileSystemPtr files = *registry.Find("posix");
  const std::string uri = "posix://" + NewPath("opened");
  ASSERT_EQ(WriteWholeFile(*files, uri, "x"), absl::OkStatus());
  const Figures all;
  for (int64_t i = 0; i < times; ++i) {
    const auto file = files->NewRandomAccessFile(uri);
    ASSERT_EQ(file.status(), absl::OkStatus());
    char byte = 0;
    ASSERT_EQ(*(*file)->Read(0, 1, &byte), 1);
  }
  all.Print("opens", Format("{} files opened, read and closed", times));
  EXPECT_LE(all.descriptors(), 0);
  EXPECT_LE(all.bytes(), kSlack);
}

// Makes one of several calls on the null plugin.
void CallAny(const FileSystem& files, const RandomAccessFile& file,
             unsigned which) {
  char buffer[16];
  switch (which % 8) {
    case 0:
      files.Stat("null://a/b").status().IgnoreError();
      break;
    case 1:
      files.FileExists("null://a/b").IgnoreError();
      break;
    case 2:
      files.GetChildren("null://a").status().IgnoreError();
      break;
    case 3:
      files.NewRandomAccessFile("null://a/b").status().IgnoreError();
      break;
    default:
      file.Read(which, sizeof(buffer), buffer).status().IgnoreError();
  }
}

TEST(Endurance, CallsOfEightThreads) {
  const int64_t times = Times(400'000, 100'000'000) / 8;
  SchemeRegistry registry;
  ASSERT_EQ(LoadPlugin("testdata/null.so", OptionsOf(registry)).status,
            absl::OkStatus());
  const FileSystemPtr files = *registry.Find("null");
  const auto run = [&files](int64_t calls) {
    std::vector<std::thread> threads;
    for (unsigned seed = 0; seed < 8; ++seed) {
      threads.emplace_back([&files, calls, seed] {
        const auto file = *files->NewRandomAccessFile("null://a/b");
        std::minstd_rand random(seed + 1);
        for (int64_t i = 0; i < calls; ++i) {
          CallAny(*files, *file, static_cast<unsigned>(random()));
        }
      });
    }
    for (std::thread& each : threads) each.join();
  };
  run(1000);
  const Figures all;
  run(times);
  all.Print("calls", Format("{} of 8 threads, {} ns each", 8 * times,
                            absl::ToDoubleNanoseconds(all.elapsed()) /
                                static_cast<double>(8 * times)));
  EXPECT_LE(all.descriptors(), 0);
  EXPECT_LE(all.bytes(), kSlack);
}

TEST(Endurance, MatchesAndDeletesEntriesOfOneDirectory) {
  const int64_t entries = Times(2'000, 1'000'000);
  SchemeRegistry registry;
  ASSERT_EQ(LoadPlugin("testdata/minimal.so", OptionsOf(registry)).status,
            absl::OkStatus());
  const FileSystemPtr files = *registry.Find("minimal");
  const std::string folder = NewPath("entries");
  std::filesystem::create_directories(folder);
  for (int64_t i = 0; i < entries; ++i) {
    const int file = open(Format("{}/entry-{}", folder, i).c_str(),
                          O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    ASSERT_GE(file, 0);
    close(file);
  }
  {
    const Figures glob;
    const auto found =
        files->GetMatchingPaths("minimal://" + folder + "/entry-*");
    ASSERT_EQ(found.status(), absl::OkStatus());
    EXPECT_EQ(found->size(), entries);
    glob.Print("glob", Format("{} entries matched", entries));
    EXPECT_LE(glob.bytes(), kSlack + 512 * entries);
  }
  const Figures deletion;
  EXPECT_EQ(files->DeleteRecursively("minimal://" + folder), absl::OkStatus());
  EXPECT_FALSE(std::filesystem::exists(folder));
  deletion.Print("deletion", Format("{} entries deleted", entries));
  EXPECT_LE(deletion.bytes(), kSlack + 512 * entries);
}

// What a forked child does with file systems that are loaded: 0 if all of it
// is right.
int UseInChild(const FileSystem& files, const std::string& uri) {
  alarm(30);
  if (!files.FileExists(uri).ok()) return 1;
  const auto contents = ReadWholeFile(files, uri);
  if (!contents.ok() || *contents != "contents") return 2;
  return files.GetChildren(uri).status().ok() ? 3 : 0;  // not a directory
}

TEST(Endurance, ForksWhileThreadsCallAndLoad) {
  const int64_t forks = Times(50, 5'000);
  SchemeRegistry registry;
  ASSERT_EQ(LoadPlugin("testdata/posix.so", OptionsOf(registry)).status,
            absl::OkStatus());
  FileSystemPtr files = *registry.Find("posix");
  const std::string uri = "posix://" + NewPath("forked");
  ASSERT_EQ(WriteWholeFile(*files, uri, "contents"), absl::OkStatus());
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      while (!done) ReadWholeFile(*files, uri).status().IgnoreError();
    });
  }
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&done] {
      SchemeRegistry own;
      while (!done) {
        EXPECT_EQ(LoadPlugin("testdata/minimal.so", OptionsOf(own)).status,
                  absl::OkStatus());
        EXPECT_EQ(own.RetireAll(), absl::OkStatus());
      }
    });
  }
  const Figures all;
  for (int64_t i = 0; i < forks; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(UseInChild(*files, uri));
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << "fork " << i;
  }
  // A fork that waits for a load in vain takes ten; an emulated one, one.
  EXPECT_LE(all.elapsed(), forks * absl::Seconds(3));
  all.Print("forks", Format("{} beside 8 threads", forks));
  done = true;
  for (std::thread& each : threads) each.join();
  files.reset();
  EXPECT_EQ(registry.RetireAll(), absl::OkStatus());
}

}  // namespace
}  // namespace fsload
