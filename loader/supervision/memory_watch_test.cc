// What MemoryWatch counts of a child that forks.
#include "loader/supervision/memory_watch.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "gtest/gtest.h"

namespace fsload {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// A process that fills memory with bytes and then forks others, which wait.
class Family {
 public:
  Family(size_t bytes, int children) {
    int ready[2];
    if (pipe(ready) != 0) return;
    process_ = fork();
    if (process_ == 0) {
      void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) _exit(1);
      std::memset(memory, 1, bytes);
      for (int i = 0; i < children && fork() != 0; ++i) continue;
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

}  // namespace
}  // namespace fsload
