#include "fsload/call_pool.h"

#include <cxxabi.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <system_error>
#include <thread>

#include "absl/cleanup/cleanup.h"
#include "core/threads/steady_now.h"
#include "fsload/internal/mutex.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

enum class State { kWaiting, kBegun, kEnded };

constexpr char kEndedItsThread[] =
    "the plugin ended the thread that called it; what it did is unknown";

absl::Status GivenUp(bool stopped, const CallOptions& options,
                     const std::string& rest) {
  return stopped ? CancelledError("a stop was requested{}", rest)
                 : DeadlineExceededError("no answer within {}{}",
                                         absl::FormatDuration(options.timeout),
                                         rest);
}

}  // namespace

struct CallPool::Job {
  std::function<void()> work;
  State state = State::kWaiting;
  bool returned = false;
  std::exception_ptr thrown;
};

// What the threads share: each keeps it alive, so that it outlives the pool.
class CallPool::Threads final
    : public std::enable_shared_from_this<CallPool::Threads> {
 public:
  explicit Threads(size_t most) : most_(most) {}

  // No other job begins.
  void Close() {
    const MutexLock lock(mutex_);
    closed_ = true;
    jobs_.clear();
    changed_.NotifyAll();
  }

  // Adds `job`; UNAVAILABLE if no thread can be started for it.
  absl::Status Add(const std::shared_ptr<Job>& job) {
    const MutexLock lock(mutex_);
    jobs_.push_back(job);
    if (idle_ >= jobs_.size() || threads_ >= most_) {
      changed_.NotifyAll();
      return absl::OkStatus();
    }
    const absl::Status started = StartThread();
    if (started.ok() || threads_ > 0) return absl::OkStatus();
    jobs_.pop_back();
    return started;
  }

  // Waits until `job` has ended, or until `options` is over.
  absl::Status WaitFor(const std::shared_ptr<Job>& job,
                       const CallOptions& options) {
    bool stopped = false;  // guarded by mutex_
    const StopCallback wake(options.stop, [&] {
      const MutexLock lock(mutex_);
      stopped = true;
      changed_.NotifyAll();
    });
    const absl::Time deadline = SteadyNow() + options.timeout;
    const MutexLock lock(mutex_);
    bool in_time = true;
    while (in_time && !stopped && job->state != State::kEnded &&
           !(closed_ && job->state == State::kWaiting)) {
      if (options.timeout == absl::InfiniteDuration()) {
        changed_.Wait(mutex_);
      } else {
        in_time = changed_.WaitUntil(mutex_, ToSteadyTime(deadline));
      }
    }
    if (job->state == State::kEnded) return absl::OkStatus();
    if (job->state == State::kBegun) {
      return GivenUp(stopped, options,
                     "; the call continues, and its result will be dropped");
    }
    if (closed_) {
      return CancelledError("the pool was destroyed; the call did not begin");
    }
    Drop(job);
    return GivenUp(stopped, options,
                   "; the call did not begin, because all threads are busy");
  }

  size_t jobs_in_progress() {
    const MutexLock lock(mutex_);
    return begun_;
  }

 private:
  absl::Status StartThread() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    try {
      std::thread([self = shared_from_this()] { self->Work(); }).detach();
    } catch (const std::system_error& error) {
      return UnavailableError("cannot start a thread for the call: {}",
                              error.what());
    }
    ++threads_;
    return absl::OkStatus();
  }

  // The plugin has ended a thread, for which jobs may wait.
  void ReplaceThread() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    --threads_;
    // If that fails, the next job tries again.
    if (!closed_ && !jobs_.empty()) static_cast<void>(StartThread());
  }

  void Drop(const std::shared_ptr<Job>& job)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    for (auto each = jobs_.begin(); each != jobs_.end(); ++each) {
      if (*each != job) continue;
      jobs_.erase(each);
      return;
    }
  }

  void Work() {
    while (const std::shared_ptr<Job> job = TakeJob()) {
      // Even if the plugin ends the thread.
      const absl::Cleanup end = [&] {
        // A dropped result is destroyed before others learn of the end.
        job->work = nullptr;
        const MutexLock lock(mutex_);
        job->state = State::kEnded;
        --begun_;
        if (!job->returned) ReplaceThread();
        changed_.NotifyAll();
      };
      Do(*job);
    }
  }

  // Waits for a job and begins it. Returns null if the pool is closed.
  std::shared_ptr<Job> TakeJob() {
    const MutexLock lock(mutex_);
    ++idle_;
    while (!closed_ && jobs_.empty()) changed_.Wait(mutex_);
    --idle_;
    if (closed_) return nullptr;
    std::shared_ptr<Job> job = std::move(jobs_.front());
    jobs_.pop_front();
    job->state = State::kBegun;
    ++begun_;
    return job;
  }

  static void Do(Job& job) {
    try {
      job.work();
    } catch (const abi::__forced_unwind&) {
      throw;
    } catch (...) {
      job.thrown = std::current_exception();
    }
    job.returned = true;
  }

  const size_t most_;
  Mutex mutex_;  // guards the states of jobs, too
  CondVar changed_;
  std::deque<std::shared_ptr<Job>> jobs_ ABSL_GUARDED_BY(mutex_);
  size_t threads_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t idle_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t begun_ ABSL_GUARDED_BY(mutex_) = 0;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

CallPool::CallPool(size_t max_threads)
    : threads_(std::make_shared<Threads>(std::max<size_t>(max_threads, 1))) {}

CallPool::~CallPool() { threads_->Close(); }

size_t CallPool::calls_in_progress() const {
  return threads_->jobs_in_progress();
}

absl::Status CallPool::Run(std::function<void()> work,
                           const CallOptions& options) {
  const bool stopped = options.stop.stop_requested();
  if (stopped || options.timeout <= absl::ZeroDuration()) {
    return GivenUp(stopped, options, "; the call did not begin");
  }
  const std::shared_ptr<Threads> threads = threads_;  // may outlive the pool
  const auto job = std::make_shared<Job>();
  job->work = std::move(work);
  absl::Status status = threads->Add(job);
  if (status.ok()) status = threads->WaitFor(job, options);
  if (!status.ok()) return status;
  if (job->thrown != nullptr) std::rethrow_exception(job->thrown);
  return job->returned ? absl::OkStatus()
                       : absl::InternalError(kEndedItsThread);
}

}  // namespace fsload
