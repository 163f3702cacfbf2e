#include "core/threads/task_pool.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "core/threads/processors.h"
#include "fsload/internal/mutex.h"

namespace fsload {

TaskPool::TaskPool(std::chrono::microseconds start_delay)
    : time_for_threads_(std::chrono::steady_clock::now() + start_delay),
      max_threads_(std::min(kMaxThreads, Processors())) {}

TaskPool::~TaskPool() {
  {
    const MutexLock lock(mutex_);
    ended_ = true;
  }
  changed_.NotifyAll();
  JoinThreads();
}

void TaskPool::Add(Task task) {
  const MutexLock lock(mutex_);
  tasks_.push_back(std::move(task));
  if (idle_ > 0) {
    changed_.NotifyOne();
  } else if (running_) {
    StartThreads();
  }
}

bool TaskPool::Run() {
  {
    const MutexLock lock(mutex_);
    running_ = true;
  }
  Work();
  JoinThreads();
  const MutexLock lock(mutex_);
  if (no_memory_) throw std::bad_alloc();
  return !ended_;
}

void TaskPool::ExpectWaiting() {
  const MutexLock lock(mutex_);
  max_threads_ = kMaxThreads;
}

void TaskPool::Work() {
  for (;;) {
    Task task = TakeTask();
    if (task == nullptr) return;
    bool returned = false;
    // Even if the task ends the thread.
    const absl::Cleanup signal_end = [&] {
      const MutexLock lock(mutex_);
      --under_way_;
      if (!returned) ended_ = true;
      if (ended_ || under_way_ == 0) changed_.NotifyAll();
    };
    task();
    task = nullptr;
    returned = true;
  }
}

void TaskPool::Help() {
  try {
    Work();
  } catch (const std::bad_alloc&) {
    const MutexLock lock(mutex_);
    ended_ = no_memory_ = true;
    changed_.NotifyAll();
  }
}

TaskPool::Task TaskPool::TakeTask() {
  const MutexLock lock(mutex_);
  ++idle_;
  while (!ended_ && tasks_.empty() && under_way_ > 0) changed_.Wait(mutex_);
  --idle_;
  if (ended_ || tasks_.empty()) return nullptr;
  Task task = std::move(tasks_.back());
  tasks_.pop_back();
  ++under_way_;
  StartThreads();
  return task;
}

void TaskPool::StartThreads() {
  if (tasks_.empty() || idle_ > 0 || ended_) return;
  if (std::chrono::steady_clock::now() < time_for_threads_) return;
  const size_t wanted =
      std::min(max_threads_ - 1, threads_.size() + tasks_.size());
  try {
    while (threads_.size() < wanted) threads_.emplace_back([this] { Help(); });
  } catch (const std::system_error&) {
    // The existing threads do the work.
    max_threads_ = threads_.size() + 1;
  }
}

void TaskPool::JoinThreads() {
  // Nothing starts another: all tasks are done or dropped.
  std::vector<std::thread> threads;
  {
    const MutexLock lock(mutex_);
    threads.swap(threads_);
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace fsload
