#include "loader/testing/test_processes.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/base/config.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace fsload {

namespace fs = std::filesystem;

std::vector<pid_t> ChildProcesses() { return ChildProcessesOf(getpid()); }

std::vector<pid_t> ChildProcessesOf(pid_t process) {
  const std::string threads = "/proc/" + std::to_string(process) + "/task";
  std::vector<pid_t> children;
  for (const fs::directory_entry& each : fs::directory_iterator(threads)) {
    // A thread may have ended meanwhile.
    std::ifstream list(each.path() / "children");
    for (pid_t child; list >> child;) children.push_back(child);
  }
  return children;
}

void AwaitOneThread() {
#ifdef ABSL_HAVE_THREAD_SANITIZER
  constexpr int kMax = 2;  // it has one of its own
#else
  constexpr int kMax = 1;
#endif
  const auto threads = [] {
    return std::distance(fs::directory_iterator("/proc/self/task"),
                         fs::directory_iterator());
  };
  const absl::Time end = absl::Now() + absl::Minutes(5);
  while (threads() > kMax && absl::Now() < end) {
    absl::SleepFor(absl::Milliseconds(1));
  }
  EXPECT_LE(threads(), kMax) << "a thread is left";
}

int NumberOfKills(int few) {
  const char* const kills = std::getenv("FSLOAD_TEST_KILLS");
  return kills == nullptr ? few : std::atoi(kills);
}

size_t CountMappedMemoryFiles() {
  std::ifstream maps("/proc/self/maps");
  size_t count = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.find(" /memfd:") != std::string::npos) ++count;
  }
  return count;
}

size_t CountOpenDescriptors() {
  // But for the one that lists them.
  return static_cast<size_t>(
             std::distance(fs::directory_iterator("/proc/self/fd"),
                           fs::directory_iterator())) -
         1;
}

}  // namespace fsload
