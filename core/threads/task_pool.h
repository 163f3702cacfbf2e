// Runs tasks that add more tasks, in parallel.
#ifndef FSLOAD_CORE_THREADS_TASK_POOL_H_
#define FSLOAD_CORE_THREADS_TASK_POOL_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/threads/parallel_for.h"

namespace fsload {

// Runs tasks in the caller's thread and, once they have taken longer than
// threads take to start, in others too: in all as many threads as there are
// processors, at most 8, or 8 if the tasks wait for something (ExpectWaiting).
// Runs the last added task first, so that a walk through a tree uses little
// memory.
class TaskPool final {
 public:
  using Task = std::function<void()>;  // must not throw

  explicit TaskPool(std::chrono::microseconds patience = kPatience);
  // Waits for the running tasks and drops the rest.
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  // Adds a task, before Run or from inside a task. Thread-safe.
  void Add(Task task);

  // Runs all tasks and those that they add. False if one of them ended its
  // thread (pthread_exit): tasks that have not begun are then dropped.
  bool Run();

  // Declares that tasks wait, perhaps for a server: more threads than
  // processors are useful. Thread-safe.
  void ExpectWaiting();

 private:
  class Turn;

  // Runs tasks until there are none and none can be added.
  void Work();

  // Starts threads if there is work for them. The caller holds the lock.
  void StartThreads();
  void JoinThreads();

  const std::chrono::steady_clock::time_point time_for_threads_;

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::vector<Task> tasks_;
  size_t under_way_ = 0;
  size_t idle_ = 0;  // threads waiting for a task
  size_t most_threads_;
  bool running_ = false;
  bool ended_ = false;  // drop the remaining tasks

  std::vector<std::thread> threads_;  // guarded too, until all have ended
};

}  // namespace fsload

#endif  // FSLOAD_CORE_THREADS_TASK_POOL_H_
