// Runs tasks that add more tasks, in parallel.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "core/threads/parallel_for.h"
#include "fsload/internal/mutex.h"

namespace fsload {

// Runs tasks in the caller's thread and, once they have taken longer than
// threads take to start, in others too: in all as many threads as there are
// processors, at most 8, or 8 if the tasks wait for something (ExpectWaiting).
// Runs the last added task first, so that a walk through a tree uses little
// memory.
class TaskPool final {
 public:
  using Task = std::function<void()>;  // may throw only std::bad_alloc

  explicit TaskPool(std::chrono::microseconds start_delay = kThreadStartDelay);
  // Waits for the running tasks and drops the rest.
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  // Adds a task, before Run or from inside a task. Thread-safe.
  void Add(Task task);

  // Runs all tasks and those that they add. False if one of them ended its
  // thread (pthread_exit): tasks that have not begun are then dropped. Throws
  // std::bad_alloc if one of them does, and drops them too.
  bool Run();

  // Declares that tasks wait, perhaps for a server: more threads than
  // processors are useful. Thread-safe.
  void ExpectWaiting();

 private:
  // Runs tasks until there are none and none can be added.
  void Work();
  // Does so in a thread of its own, which no exception may leave.
  void Help();

  // Waits for a task and begins it. Returns null if there will be none.
  Task TakeTask();

  // Starts threads if there is work for them.
  void StartThreads() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void JoinThreads();

  const std::chrono::steady_clock::time_point time_for_threads_;

  Mutex mutex_;
  CondVar changed_;
  std::vector<Task> tasks_ ABSL_GUARDED_BY(mutex_);
  size_t under_way_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t idle_ ABSL_GUARDED_BY(mutex_) = 0;  // threads waiting for a task
  size_t max_threads_ ABSL_GUARDED_BY(mutex_);
  bool running_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;      // drop the remaining tasks
  bool no_memory_ ABSL_GUARDED_BY(mutex_) = false;  // in another thread

  std::vector<std::thread> threads_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fsload
