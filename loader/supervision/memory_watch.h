// How much memory a process and all its descendants use.
#pragma once

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

// Adds up the memory files that processes have open, which need not be mapped
// anywhere. They may have millions of descriptors: only the first thousand are
// checked, because the kernel keeps data for each that is, and releases it when
// the process ends. Each call continues where the last one stopped.
class MemoryFileCount final {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int kMaxDescriptors = 1024;

  void Start(const std::map<pid_t, ProcessUsage>& processes);

  // Continues until it is done or `end` has passed.
  void GoOn(Clock::time_point end);

  bool done() const { return left_.empty(); }

  // Returns the bytes in excess of what is mapped, which is mostly such files.
  uint64_t bytes() const { return bytes_; }

 private:
  struct Closer {
    void operator()(DIR* folder) const { closedir(folder); }
  };

  void Look(const char* name);
  void EndProcess();

  std::vector<std::pair<pid_t, ProcessUsage>> left_;  // the last is read
  std::unique_ptr<DIR, Closer> files_;                // of that process
  int descriptors_left_ = 0;
  uint64_t of_process_ = 0;
  std::set<ino_t> seen_;
  uint64_t bytes_ = 0;
};

// Keeps a child of this process and its descendants within a memory limit. No
// kernel limit counts what is used rather than reserved, so this checks from
// time to time, for a few milliseconds at once, because its owner has other
// work. It misses pages of closed files that a process has mapped but not
// touched.
class MemoryWatch final {
 public:
  // Limits memory to `most` bytes; 0: no limit.
  MemoryWatch(pid_t child, uint64_t most) : child_(child), most_(most) {}

  // Returns how long until the next check, in milliseconds; -1: none is needed.
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
  uint64_t at_start_ = 0;  // from `files_`, without files
  MemoryFileCount files_;
};

}  // namespace fsload
