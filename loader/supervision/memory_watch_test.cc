// What MemoryWatch counts of a child that forks.
#include "loader/supervision/memory_watch.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "gtest/gtest.h"

namespace fsload {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

int Wait(void*) {
  for (;;) pause();
}

// Starts a process that waits, with a memory of its own or that of this one.
// Returns whether this process has started it.
bool StartOne(bool shares_memory) {
  constexpr size_t kStack = size_t{16} << 10;
  if (!shares_memory) return fork() != 0;
  auto* const stack = new char[kStack];
  return clone(&Wait, stack + kStack, CLONE_VM | SIGCHLD, nullptr) > 0;
}

// A process that fills memory with bytes and then starts others, which wait.
class Family {
 public:
  Family(size_t bytes, int children, bool shares_memory = false) {
    int ready[2];
    if (pipe(ready) != 0) return;
    process_ = fork();
    if (process_ == 0) {
      void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) _exit(1);
      std::memset(memory, 1, bytes);
      bool is_first = true;
      for (int i = 0; i < children && is_first; ++i) {
        is_first = StartOne(shares_memory);
        if (shares_memory) static_cast<void>(!write(ready[1], "", 1));
      }
      static_cast<void>(!write(ready[1], "", 1));
      for (;;) pause();
    }
    char byte;
    for (int i = 0; i <= children; ++i) {
      static_cast<void>(!read(ready[0], &byte, 1));
    }
    close(ready[0]);
    close(ready[1]);
  }
  ~Family() {
    KillDescendants(getpid());
    waitpid(process_, nullptr, 0);
  }
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  pid_t process() const { return process_; }

 private:
  pid_t process_ = -1;
};

// Whether the watch finds more than `most` bytes within a second, in which it
// looks at all descendants.
bool Exceeds(pid_t process, uint64_t most) {
  MemoryWatch watch(process, most);
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(1000);
  while (std::chrono::steady_clock::now() < end) {
    if (watch.Exceeded()) return true;
    usleep(5'000);
  }
  return false;
}

TEST(MemoryWatch, CountsOnceWhatForksShare) {
  const Family family(128 * kMiB, 7);  // 1 GiB if each had its own
  EXPECT_FALSE(Exceeds(family.process(), 600 * kMiB));
  EXPECT_TRUE(Exceeds(family.process(), 100 * kMiB));
}

TEST(MemoryWatch, CountsTheMemoryOfSeveralProcessesOnce) {
  const Family family(128 * kMiB, 7, /*shares_memory=*/true);
  EXPECT_FALSE(Exceeds(family.process(), 600 * kMiB));
  EXPECT_TRUE(Exceeds(family.process(), 100 * kMiB));
}

}  // namespace
}  // namespace fsload
