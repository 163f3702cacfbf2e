// Libraries are known by their files and where they are mapped, not by names.
#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "loader/rules/findings.h"
#include "loader/static_pass/plugin_libraries.h"
#include "loader/testing/test_files.h"
#include "loader/trust/trust.h"

namespace fsload {
namespace {

// A copy of `source` on a tmpfs that has the same inode number as a file on
// another device: the one that is open as `known`. "" if that is impossible.
// Both devices count upwards, one of them for each processor.
std::string WithTheSameNumber(const std::string& source, int& known) {
  constexpr int kMaxFiles = 3'000'000;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof(one), &one);
  const std::string path =
      "/dev/shm/" +
      std::filesystem::path(NewPath("x")).parent_path().filename().string() +
      ".so";
  struct stat elsewhere = {};
  struct stat file = {};
  for (int i = 0; i < kMaxFiles; ++i) {
    if (elsewhere.st_ino <= file.st_ino) {
      close(known);
      known = memfd_create("known", MFD_CLOEXEC);
      if (fstat(known, &elsewhere) != 0) return "";
      continue;
    }
    const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const bool made = fstat(fd, &file) == 0;
    close(fd);
    if (!made || file.st_dev == elsewhere.st_dev) return "";
    if (file.st_ino == elsewhere.st_ino) {
      WriteFile(path, ReadFile(source));
      return path;
    }
    unlink(path.c_str());
  }
  return "";
}

// The path of one that was open before leads to another file by now.
TEST(OpenedLibraries, AreNotThoseOfTheProgramWhoseFilesWereReplaced) {
  const auto open = [] {
    const std::string source = "testdata/linking/libfsload_test_brought.so";
    const std::string of_program = FreshCopy(source);
    if (dlopen(of_program.c_str(), RTLD_NOW) == nullptr) _exit(2);
    std::filesystem::rename(FreshCopy(source), of_program);
    const LoadedLibraries before = LoadedLibraries::Now();
    const std::string opened = FreshCopy(source);
    if (dlopen(opened.c_str(), RTLD_NOW) == nullptr) _exit(3);
    for (const OpenedLibrary& each : FindOpened(before, nullptr)) {
      std::fputs(each.path == opened ? "opened;" : each.path.c_str(), stderr);
    }
    _exit(0);
  };
  EXPECT_EXIT(open(), testing::ExitedWithCode(0), "^opened;$");
}

TEST(OpenedLibraries, AreNotKnownByTheNumbersOfOtherDevices) {
  const auto open = [] {
    int known = -1;
    const std::string path =
        WithTheSameNumber("testdata/linking/libfsload_test_brought.so", known);
    if (path.empty()) {
      std::fputs("no such file", stderr);
      _exit(0);
    }
    const std::string same = "/proc/self/fd/" + std::to_string(known);
    std::ofstream(same) << ReadFile(path);
    if (dlopen(same.c_str(), RTLD_NOW) == nullptr) _exit(2);
    const LoadedLibraries before = LoadedLibraries::Now();
    if (dlopen(path.c_str(), RTLD_NOW) == nullptr) _exit(2);
    chmod(path.c_str(), 0666);
    Findings findings;
    CheckOpened(FindOpened(before, nullptr), Trust(), findings);
    unlink(path.c_str());
    for (const Finding& each : findings.all()) {
      std::fputs(std::string(Name(each.rule)).c_str(), stderr);
    }
    _exit(0);
  };
  // In its own process, because libraries are loaded only once.
  EXPECT_EXIT(open(), testing::ExitedWithCode(0), "^(FSP030|no such file)$");
}

}  // namespace
}  // namespace fsload
