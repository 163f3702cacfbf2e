// Starts a worker's process and watches it until its end.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/system/descriptor.h"
#include "fsload/internal/mutex.h"
#include "loader/isolation/slots.h"
#include "loader/isolation/worker_output.h"
#include "loader/supervision/scratch_folder.h"
#include "loader/supervision/shared_messages.h"

namespace fsload {

// How a process is started.
struct WorkerStart {
  std::string program;                   // the path of fsload-worker
  std::vector<std::string> arguments;    // after its name
  std::vector<std::string> environment;  // "NAME=value"
  std::string plugin;                    // for its log lines
  std::string limit_text;                // ends the error of how it ended
  std::shared_ptr<const ScratchFolder> scratch;  // removed when it has ended
};

// What the thread that watches is given.
struct WatchTask : WorkerStart {
  Descriptor control;  // the worker's end of the control socket
  Descriptor crash;    // memory for SharedMessages
};

// The descriptors of a worker when it starts.
inline constexpr int kControlDescriptor = 3;
inline constexpr int kCrashDescriptor = 4;

// A worker's process. Thread-safe. Never waits for its thread, which a forked
// child does not have.
class WorkerWatch final {
 public:
  // Starts the process, in a thread that then watches it: the kernel ends a
  // process when the thread that started it ends. `slots` are those of its
  // calls, which its end wakes. Fails like WorkerProcess::Start.
  static absl::StatusOr<std::shared_ptr<WorkerWatch>> Start(
      WatchTask task, std::shared_ptr<SharedMemory> slots);

  // Returns whether the process has ended, or was told to, or belongs to the
  // parent of this one.
  bool ended() const {
    return ended_.load(std::memory_order_acquire) || !IsOwn();
  }

  // Returns why; UNAVAILABLE, unless End was given something else.
  absl::Status Ending() const;

  // Kills the process, because of `why`, unless it has ended.
  void End(const absl::Status& why);

  // Kills it because a stop was requested.
  void Stop();

  // Looks whether the process ends within `timeout`, for a call that waits: the
  // thread that watches it may itself wait for the program's log, and is given
  // 1 s. It may be the caller's.
  void NoticeEnd(absl::Duration timeout);

  // Waits until nothing of it is left, and kills it after `timeout`; at most
  // 5 s longer. In the thread that watches it, waits for the process alone.
  void AwaitEnd(absl::Duration timeout);

  // Returns whether this process started it, and not the parent of this one.
  bool IsOwn() const;

 private:
  explicit WorkerWatch(std::shared_ptr<SharedMemory> slots);

  absl::Status Spawn(const WatchTask& task);
  void Watch(std::string plugin);
  void ReadOutput(WorkerOutput& output);
  absl::Status Reap();
  void Finish(const absl::Status& ending);
  bool InItsThread() const;
  bool EndsWithin(absl::Duration timeout) const;

  const std::shared_ptr<SharedMemory> slots_;
  const uint64_t fork_generation_;
  const absl::Status unknown_ending_;  // without memory for another one
  std::thread::id thread_;             // which watches
  std::string limit_text_;             // as in the task
  std::unique_ptr<SharedMessages> crash_;
  Descriptor process_;  // a pidfd
  Descriptor output_;
  pid_t pid_ = -1;

  // Set once `ending_` is, with release; who acquires it finds why.
  std::atomic<bool> ended_{false};
  // Whether the thread has finished, and owns nothing any more.
  const std::shared_ptr<std::atomic<bool>> gone_ =
      std::make_shared<std::atomic<bool>>(false);
  mutable Mutex mutex_;
  absl::Status ending_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fsload
