// Two processes with several threads each use one plugin. Shared files must be
// complete at every moment; others must be as their owner left them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "loader/testing/test_plugins.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 40;
constexpr size_t kBytes = 10'000;

// Contents that show whether they are of one piece.
std::string Contents(int process, int thread) {
  return std::string(kBytes,
                     static_cast<char>('a' + process * kThreads + thread));
}

void Write(const FileSystem& fs, const std::string& uri,
           const std::string& contents) {
  const auto file = fs.NewWritableFile(uri);
  ASSERT_TRUE(file.ok()) << file.status();
  // In two parts, so that others can interleave.
  EXPECT_EQ((*file)->Append(contents.substr(0, kBytes / 2)), absl::OkStatus());
  EXPECT_EQ((*file)->Append(contents.substr(kBytes / 2)), absl::OkStatus());
  EXPECT_EQ((*file)->Close(), absl::OkStatus());
}

std::string Read(const FileSystem& fs, const std::string& uri) {
  const auto file = fs.NewRandomAccessFile(uri);
  if (!file.ok()) return file.status().ToString();
  std::string text(kBytes + 1, '\0');
  const auto bytes = (*file)->Read(0, text.size(), text.data());
  if (!bytes.ok()) return bytes.status().ToString();
  return text.substr(0, *bytes);
}

// Whether `text` was written by one thread of either process.
bool IsWhole(const std::string& text) {
  return text.size() == kBytes && text.front() >= 'a' &&
         text.front() < 'a' + 2 * kThreads &&
         text == std::string(kBytes, text.front());
}

// The work of one thread; `root` is shared.
void Work(const FileSystem& fs, const std::string& root, int process,
          int thread) {
  const std::string own = Format("{}/own{}{}", root, process, thread);
  const std::string contents = Contents(process, thread);
  for (int round = 0; round < kRounds; ++round) {
    const std::string deep = Format("{}/deep{}/a/b", root, round);
    EXPECT_EQ(fs.RecursivelyCreateDir(deep), absl::OkStatus());
    Write(fs, own, contents);
    EXPECT_EQ(Read(fs, own), contents);
    EXPECT_EQ(fs.CopyFile(own, own + ".copy"), absl::OkStatus());
    EXPECT_EQ(Read(fs, own + ".copy"), contents);
    EXPECT_EQ(*fs.GetFileSize(own + ".copy"), kBytes);
    // Shared, replaced by every thread.
    EXPECT_EQ(fs.RenameFile(own + ".copy", root + "/shared"), absl::OkStatus());
    EXPECT_TRUE(IsWhole(Read(fs, root + "/shared")));
    EXPECT_THAT(fs.FilesExist({own, deep}), testing::Each(absl::OkStatus()));
    const auto names = fs.GetChildren(root);
    ASSERT_TRUE(names.ok()) << names.status();
    EXPECT_THAT(*names, ::testing::Contains("shared"));
    EXPECT_EQ(fs.DeleteFile(own), absl::OkStatus());
    EXPECT_EQ(fs.FileExists(own).code(), absl::StatusCode::kNotFound);
  }
}

// Runs `work` with 0 here and with 1 in a process that is forked while the
// plugin is loaded, before any threads start.
template <typename Function>
void InTwoProcesses(Function work) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    work(1);
    std::fflush(nullptr);
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  work(0);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// Runs `work` with each thread's number.
template <typename Function>
void InManyThreads(Function work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

void WorkInTwoProcesses(const FileSystem& fs, const std::string& root) {
  Write(fs, root + "/shared", Contents(0, 0));
  InTwoProcesses([&](int process) {
    InManyThreads([&](int thread) { Work(fs, root, process, thread); });
  });
  const auto names = fs.GetChildren(root);
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_EQ(names->size(), kRounds + 1);
}

TEST(ContractThreadsTest, PosixServesTwoProcessesWithManyThreads) {
  const auto fs = LoadTestPlugin("posix");
  WorkInTwoProcesses(*fs, "posix://" + NewTestDirectory());
}

TEST(ContractThreadsTest, MemoryServesTwoProcessesWithManyThreads) {
  const auto fs = LoadTestPlugin("memory");
  ASSERT_EQ(fs->CreateDir("memory:///root"), absl::OkStatus());
  WorkInTwoProcesses(*fs, "memory:///root");
}

// The defaults may run concurrently too: creating ancestors is a race here.
TEST(ContractThreadsTest, TheDefaultsCreateTheSameAncestorsAtOnce) {
  const auto fs = LoadTestPlugin("minimal");
  const std::string root = "minimal://" + NewTestDirectory();
  InTwoProcesses([&](int) {
    InManyThreads([&](int) {
      for (int round = 0; round < kRounds; ++round) {
        EXPECT_EQ(
            fs->RecursivelyCreateDir(Format("{}/{}/a/b/c/d", root, round)),
            absl::OkStatus());
      }
    });
  });
  EXPECT_EQ(fs->GetChildren(root)->size(), kRounds);
}

}  // namespace
}  // namespace fsload
