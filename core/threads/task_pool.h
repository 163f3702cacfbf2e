// Tasks that lead to more tasks, several at a time.
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

// Does tasks in the caller's thread and, once they have taken longer than
// threads take to start, in others too: as many threads in all as there are
// processors, 8 at most, or 8 where the tasks wait for something
// (ExpectWaiting). What was added last is done first, so that a walk through a
// tree keeps little in memory.
class TaskPool final {
 public:
  using Task = std::function<void()>;  // throws nothing

  explicit TaskPool(std::chrono::microseconds patience = kPatience);
  // Waits for the tasks that are under way, and drops the rest.
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  // Adds a task: before Run, or from inside one. Any thread.
  void Add(Task task);

  // Does all tasks, and those that they add. False where one of them ended its
  // thread (pthread_exit): then those that were not begun are dropped.
  bool Run();

  // Says that tasks wait, for a server perhaps: more threads than processors
  // are of use. Any thread.
  void ExpectWaiting();

 private:
  class Turn;

  // Does tasks until there are none, nor will be.
  void Work();

  // Starts threads if there is something for them to do. The caller has the
  // lock.
  void StartThreads();
  void JoinThreads();

  const std::chrono::steady_clock::time_point time_for_threads_;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::vector<Task> tasks_;
  size_t under_way_ = 0;
  size_t idle_ = 0;  // threads that wait for a task
  size_t most_threads_;
  bool running_ = false;
  bool ended_ = false;  // drop what is left

  std::vector<std::thread> threads_;  // guarded too, until all have ended
};

}  // namespace fsload

#endif  // FSLOAD_CORE_THREADS_TASK_POOL_H_
