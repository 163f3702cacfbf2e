#include "core/threads/task_pool.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/threads/processors.h"

namespace fsload {

// One task of one thread; signals that it is over even if the task ends the
// thread.
class TaskPool::Turn {
 public:
  explicit Turn(TaskPool& pool) : pool_(pool) {}
  ~Turn() {
    const std::lock_guard<std::mutex> lock(pool_.mutex_);
    --pool_.under_way_;
    if (!returned) pool_.ended_ = true;
    if (pool_.ended_ || pool_.under_way_ == 0) pool_.changed_.notify_all();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  bool returned = false;

 private:
  TaskPool& pool_;
};

TaskPool::TaskPool(std::chrono::microseconds patience)
    : time_for_threads_(std::chrono::steady_clock::now() + patience),
      most_threads_(std::min(kMostThreads, Processors())) {}

TaskPool::~TaskPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  JoinThreads();
}

void TaskPool::Add(Task task) {
  const std::lock_guard<std::mutex> lock(mutex_);
  tasks_.push_back(std::move(task));
  if (idle_ > 0) {
    changed_.notify_one();
  } else if (running_) {
    StartThreads();
  }
}

bool TaskPool::Run() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    running_ = true;
  }
  Work();
  JoinThreads();
  return !ended_;
}

void TaskPool::ExpectWaiting() {
  const std::lock_guard<std::mutex> lock(mutex_);
  most_threads_ = kMostThreads;
}

void TaskPool::Work() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    ++idle_;
    changed_.wait(lock,
                  [&] { return ended_ || !tasks_.empty() || under_way_ == 0; });
    --idle_;
    if (ended_ || tasks_.empty()) return;
    Task task = std::move(tasks_.back());
    tasks_.pop_back();
    ++under_way_;
    StartThreads();
    lock.unlock();
    {
      Turn turn(*this);
      task();
      task = nullptr;
      turn.returned = true;
    }
    lock.lock();
  }
}

void TaskPool::StartThreads() {
  if (tasks_.empty() || idle_ > 0 || ended_) return;
  if (std::chrono::steady_clock::now() < time_for_threads_) return;
  const size_t wanted =
      std::min(most_threads_ - 1, threads_.size() + tasks_.size());
  try {
    while (threads_.size() < wanted) threads_.emplace_back([this] { Work(); });
  } catch (const std::system_error&) {
    // The existing threads do the work.
    most_threads_ = threads_.size() + 1;
  }
}

void TaskPool::JoinThreads() {
  // Nothing starts another: all tasks are done or dropped.
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace fsload
