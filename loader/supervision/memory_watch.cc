#include "loader/supervision/memory_watch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

namespace fsload {
namespace {

constexpr std::chrono::milliseconds kPause(50);
constexpr std::chrono::milliseconds kSlice(5);
// For more, the kernel takes too long to say what they share.
constexpr size_t kMaxProcesses = 1000;

// Returns the bytes that `processes` use together. What they share since one
// forked the others counts several times, unless that would make them more than
// `most`.
uint64_t BytesOf(const std::map<pid_t, ProcessUsage>& processes,
                 uint64_t most) {
  uint64_t bytes = 0;
  for (const auto& [process, usage] : processes) {
    bytes += usage.private_bytes + usage.shared_bytes;
  }
  if (bytes <= most || processes.size() > kMaxProcesses) return bytes;
  bytes = 0;
  pid_t before = -1;
  for (const auto& [process, usage] : processes) {
    // It is one memory, not one for each.
    if (ShareMemory(std::exchange(before, process), process)) continue;
    bytes += ProportionalBytesOf(process).value_or(usage.private_bytes +
                                                   usage.shared_bytes);
  }
  return bytes;
}

}  // namespace

void MemoryFileCount::Start(const std::map<pid_t, ProcessUsage>& processes) {
  left_.assign(processes.rbegin(), processes.rend());
  descriptors_left_ = kMaxDescriptors;
  files_.reset();
  of_process_ = 0;
  seen_.clear();
  bytes_ = 0;
}

void MemoryFileCount::GoOn(Clock::time_point end) {
  constexpr int kBetweenLooksAtTheClock = 64;
  while (!done()) {
    if (files_ == nullptr) {
      const std::string folder =
          "/proc/" + std::to_string(left_.back().first) + "/fd";
      files_.reset(opendir(folder.c_str()));
    }
    for (int i = 0; i < kBetweenLooksAtTheClock; ++i) {
      const dirent* const entry =
          files_ == nullptr ? nullptr : readdir(files_.get());
      if (entry == nullptr) {
        EndProcess();
        break;
      }
      Look(entry->d_name);
      if (--descriptors_left_ > 0) continue;
      EndProcess();
      left_.clear();
      break;
    }
    if (Clock::now() >= end) return;
  }
}

void MemoryFileCount::Look(const char* name) {
  constexpr uint64_t kBlock = 512;
  constexpr std::string_view kName = "/memfd:";
  const int folder = dirfd(files_.get());
  char target[32];
  struct stat status = {};
  const ssize_t length = readlinkat(folder, name, target, sizeof(target));
  if (length < static_cast<ssize_t>(kName.size()) ||
      std::string_view(target, kName.size()) != kName ||
      fstatat(folder, name, &status, 0) != 0 ||
      !seen_.insert(status.st_ino).second) {
    return;
  }
  of_process_ += kBlock * status.st_blocks;
}

void MemoryFileCount::EndProcess() {
  const uint64_t mapped = left_.back().second.shared_bytes;
  if (of_process_ > mapped) bytes_ += of_process_ - mapped;
  of_process_ = 0;
  files_.reset();
  left_.pop_back();
}

int MemoryWatch::Pause() const {
  if (most_ == 0) return -1;
  return static_cast<int>((files_.done() ? kPause : kSlice).count());
}

bool MemoryWatch::Exceeded() {
  if (most_ == 0) return false;
  const auto now = Clock::now();
  if (now >= next_) {
    next_ = now + kPause;
    // Reads all processes of the machine.
    const bool all =
        now >= next_of_all_ || (files_of_all_due_ && files_.done());
    if (all) next_of_all_ = now + kPauseOfAll;
    files_of_all_due_ |= all;
    std::map<pid_t, ProcessUsage> processes;
    if (all) {
      processes = DescendantsOf(getpid());
    } else {
      processes[child_] = UsageOf(child_);
    }
    const uint64_t bytes = BytesOf(processes, most_);
    if (bytes > most_) return true;
    if (files_.done()) {
      files_.Start(processes);
      at_start_ = bytes;
      if (all) files_of_all_due_ = false;
    }
  }
  if (files_.done()) return false;
  files_.GoOn(Clock::now() + kSlice);
  return at_start_ + files_.bytes() > most_;
}

}  // namespace fsload
