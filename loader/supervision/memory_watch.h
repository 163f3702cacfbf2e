// How much memory a process and all that it started take.
#ifndef FSLOAD_LOADER_SUPERVISION_MEMORY_WATCH_H_
#define FSLOAD_LOADER_SUPERVISION_MEMORY_WATCH_H_

#include <dirent.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "loader/confinement/process_tree.h"

namespace fsload {

// Adds up the files in memory that processes have open, which may be mapped
// nowhere. They may have millions of descriptors: the first thousand of them
// are looked at, for the kernel remembers each that is, and forgets it again
// when the process ends. This goes on where it was.
class MemoryFileCount final {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int kMostDescriptors = 1024;

  void Start(const std::map<pid_t, ProcessUsage>& processes);

  // Until it is done or `end` has come.
  void GoOn(Clock::time_point end);

  bool done() const { return left_.empty(); }

  // Beyond what is mapped, which is mostly of such files.
  uint64_t bytes() const { return bytes_; }

 private:
  struct Closer {
    void operator()(DIR* folder) const { closedir(folder); }
  };

  void Look(const char* name);
  void EndProcess();

  std::vector<std::pair<pid_t, ProcessUsage>> left_;  // the last is read
  std::unique_ptr<DIR, Closer> files_;                // of that one
  int descriptors_left_ = 0;
  uint64_t of_process_ = 0;
  std::set<ino_t> seen_;
  uint64_t bytes_ = 0;
};

// Sees to it that a child of this process and what it starts do not take more
// memory than they may. There is no limit in the kernel that counts what is
// used, and not what is only reserved; so this looks from time to time, for a
// few milliseconds at once: who has it has other things to see to. Who maps a
// file that is closed is not seen to have what it did not touch.
class MemoryWatch final {
 public:
  // `most` bytes; 0: any.
  MemoryWatch(pid_t child, uint64_t most) : child_(child), most_(most) {}

  // How long there is nothing to look at, in milliseconds; -1: ever.
  int Pause() const;

  bool Exceeded();

 private:
  using Clock = MemoryFileCount::Clock;
  static constexpr std::chrono::milliseconds kPauseOfAll{500};

  const pid_t child_;
  const uint64_t most_;
  Clock::time_point next_;
  Clock::time_point next_of_all_ = Clock::now() + kPauseOfAll;
  bool files_of_all_due_ = false;
  uint64_t at_start_ = 0;  // of `files_`, without files
  MemoryFileCount files_;
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_SUPERVISION_MEMORY_WATCH_H_
