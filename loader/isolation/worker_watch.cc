#include "loader/isolation/worker_watch.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "absl/types/span.h"
#include "core/system/fork_generation.h"
#include "core/threads/poll_until.h"
#include "core/threads/steady_now.h"
#include "loader/isolation/worker_output.h"
#include "loader/supervision/crash_reporter.h"
#include "loader/supervision/signal_text.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Blocks all signals while it lives: a new thread inherits that.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& each : texts) {
    pointers.push_back(const_cast<char*>(each.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

// A copy of `descriptor` above those that the worker gets.
Descriptor Above(int descriptor) {
  constexpr int kFirst = 16;
  Descriptor copy(fcntl(descriptor, F_DUPFD_CLOEXEC, kFirst));
  if (!copy.ok() && errno == EINVAL) errno = EMFILE;  // a limit below kFirst
  return copy;
}

void Kill(int process) {
  syscall(SYS_pidfd_send_signal, process, SIGKILL, nullptr, 0);
}

// Returns what a crash report says of its location: ", in Crash()+0x4 of the
// plugin"; "" if there is none.
std::string CrashLocationIn(std::string_view messages) {
  const Crash found = ReadCrash(messages);
  if (found.location.empty()) return "";
  return (found.overflow ? ", a stack overflow, " : ", ") + found.location;
}

}  // namespace

WorkerWatch::WorkerWatch(std::shared_ptr<SharedMemory> slots)
    : slots_(std::move(slots)),
      fork_generation_(ForkGeneration()),
      unknown_ending_(UnavailableError(
          "the plugin's process has ended; without memory, how is not known")) {
}

bool WorkerWatch::IsOwn() const { return fork_generation_ == ForkGeneration(); }

bool WorkerWatch::InItsThread() const {
  return std::this_thread::get_id() == thread_;
}

absl::StatusOr<std::shared_ptr<WorkerWatch>> WorkerWatch::Start(
    WatchTask task, std::shared_ptr<SharedMemory> slots) {
  std::shared_ptr<WorkerWatch> watch(new WorkerWatch(std::move(slots)));
  watch->limit_text_ = task.limit_text;
  watch->crash_ = SharedMessages::OfFile(task.crash.get());
  if (watch->crash_ == nullptr) {
    return ErrnoError(errno, "no memory for a plugin's process");
  }
  std::atomic<bool> spawned{false};
  absl::Status status =
      ResourceExhaustedError("no memory to start a plugin's process");
  try {
    const BlockedSignals blocked;
    std::thread([watch, &spawned, &status, task = std::move(task)]() mutable {
      watch->thread_ = std::this_thread::get_id();
      // An exception that leaves this thread would end the program.
      try {
        status = watch->Spawn(task);
      } catch (const std::bad_alloc&) {
      }
      const bool ok = status.ok();
      std::string plugin = std::move(task.plugin);
      const auto scratch = std::move(task.scratch);
      const std::shared_ptr<std::atomic<bool>> gone = watch->gone_;
      task = WatchTask();        // the worker's ends of what it shares
      if (!ok) watch = nullptr;  // its caller waits for no thread
      // Release, and the thread that waits acquires: `status` is there.
      spawned.store(true, std::memory_order_release);
      // `status` and `spawned` are gone from here on.
      if (ok) watch->Watch(std::move(plugin));
      if (scratch != nullptr) scratch->Remove();
      // Last, so that whoever waits for it is then the only owner.
      watch = nullptr;
      gone->store(true, std::memory_order_release);
    }).detach();
  } catch (const std::system_error& error) {
    return ResourceExhaustedError("no thread to watch a plugin's process: {}",
                                  error.what());
  }
  while (!spawned.load(std::memory_order_acquire)) {
    absl::SleepFor(absl::Microseconds(100));
  }
  if (!status.ok()) return status;
  return watch;
}

absl::Status WorkerWatch::Spawn(const WatchTask& task) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return ErrnoError(errno, "no pipe for the output of {}", task.program);
  }
  output_ = Descriptor(ends[0]);
  const Descriptor out(ends[1]);
  fcntl(output_.get(), F_SETFL, O_NONBLOCK);
  const Descriptor written = Above(out.get());
  const Descriptor control = Above(task.control.get());
  const Descriptor crash = Above(task.crash.get());
  if (!written.ok() || !control.ok() || !crash.ok()) {
    return ErrnoError(errno, "no descriptors for {}", task.program);
  }
  std::vector<std::string> words = {task.program};
  words.insert(words.end(), task.arguments.begin(), task.arguments.end());
  const std::vector<char*> arguments = Pointers(words);
  const std::vector<char*> environment = Pointers(task.environment);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY,
                                   0);
  posix_spawn_file_actions_adddup2(&files, written.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, written.get(), STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&files, control.get(), kControlDescriptor);
  posix_spawn_file_actions_adddup2(&files, crash.get(), kCrashDescriptor);
  posix_spawn_file_actions_addclosefrom_np(&files, kCrashDescriptor + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETSIGDEF |
                                            POSIX_SPAWN_SETPGROUP);
  const int error =
      posix_spawn(&pid_, task.program.c_str(), &files, &attributes,
                  arguments.data(), environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    const bool lacks_proc =
        error == ENOENT && task.program.compare(0, 6, "/proc/") == 0;
    return ErrnoError(error, "cannot start a plugin's process, {}{}",
                      task.program, lacks_proc ? " (mount /proc)" : "");
  }
  process_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  if (process_.ok()) return absl::OkStatus();
  const int no_process = errno;
  // Else the program has waited for it, and its number may be another one's.
  if (no_process != ESRCH) kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  return ErrnoError(no_process, "cannot watch a plugin's process");
}

void WorkerWatch::Watch(std::string plugin) {
  WorkerOutput output(std::move(plugin));
  for (bool reading = true;;) {
    pollfd polled[] = {{process_.get(), POLLIN, 0},
                       {reading ? output_.get() : -1, POLLIN, 0}};
    if (poll(polled, std::size(polled), -1) < 0 && errno != EINTR) break;
    if (polled[1].revents != 0) ReadOutput(output);
    if ((polled[1].revents & (POLLHUP | POLLERR)) != 0) reading = false;
    if (polled[0].revents != 0) break;
  }
  absl::Status ending = unknown_ending_;
  try {
    ending = Reap();
  } catch (const std::bad_alloc&) {
  }
  ReadOutput(output);
  output.End();
  Finish(ending);
}

void WorkerWatch::ReadOutput(WorkerOutput& output) {
  char block[4096];
  // What the plugin started may write faster than this is logged.
  constexpr int kMaxBlocks = 64;
  for (int i = 0; i < kMaxBlocks; ++i) {
    const ssize_t bytes = read(output_.get(), block, sizeof(block));
    if (bytes <= 0) return;
    output.Add({block, static_cast<size_t>(bytes)});
  }
}

absl::Status WorkerWatch::Reap() {
  siginfo_t info = {};
  const auto id = static_cast<id_t>(process_.get());
  const int found = waitid(P_PIDFD, id, &info, WEXITED | WNOWAIT);
  // What it started and left in its group; the group's number is not given to
  // another one while the process has not been waited for.
  if (found == 0) kill(-pid_, SIGKILL);
  siginfo_t ignored = {};
  waitid(P_PIDFD, id, &ignored, WEXITED);
  if (found != 0) {
    return UnavailableError(
        "the plugin's process has ended; this program waited for it, so how it "
        "ended is not known");
  }
  // Without memory, programs exit, abort, trap, or use a null pointer.
  if (info.si_code == CLD_EXITED) {
    return UnavailableError(
        "the plugin's process has ended with exit code {}{}", info.si_status,
        info.si_status == 0 ? "" : limit_text_);
  }
  const bool may_lack_memory =
      info.si_status == SIGABRT || info.si_status == SIGSEGV ||
      info.si_status == SIGBUS || info.si_status == SIGTRAP ||
      info.si_status == SIGILL;
  return UnavailableError(
      "the plugin's process was ended by {}{}{}", SignalText(info.si_status),
      CrashLocationIn(crash_->Text()), may_lack_memory ? limit_text_ : "");
}

void WorkerWatch::Finish(const absl::Status& ending) {
  {
    const MutexLock lock(mutex_);
    if (ending_.ok()) ending_ = ending;
  }
  ended_.store(true);
  for (size_t i = 0; i < kSlots; ++i) {
    SlotHead& head = HeadOf(*slots_, i);
    head.state.store(static_cast<uint32_t>(SlotState::kEnded));
    WakeSlot(head);
  }
}

absl::Status WorkerWatch::Ending() const {
  if (!IsOwn()) {
    return UnavailableError(
        "the plugin's process belongs to the parent of this process, which was "
        "forked");
  }
  const MutexLock lock(mutex_);
  return ending_;
}

void WorkerWatch::End(const absl::Status& why) {
  if (!IsOwn()) return;
  {
    const MutexLock lock(mutex_);
    if (ended_.load()) return;
    if (ending_.ok()) ending_ = why;
  }
  // Calls return the reason at once; that the process is gone is seen later.
  ended_.store(true, std::memory_order_release);
  Kill(process_.get());
}

void WorkerWatch::Stop() {
  End(absl::CancelledError("stopped; the plugin's process was ended"));
}

bool WorkerWatch::EndsWithin(absl::Duration timeout) const {
  pollfd polled = {process_.get(), POLLIN, 0};
  if (timeout <= absl::ZeroDuration()) return poll(&polled, 1, 0) == 1;
  return PollUntil(absl::MakeSpan(&polled, 1), SteadyNow() + timeout) == 1;
}

void WorkerWatch::NoticeEnd(absl::Duration timeout) {
  // Of the thread that watches, to say how it ended.
  constexpr absl::Duration kForWatcher = absl::Seconds(1);
  if (ended() || !EndsWithin(timeout)) return;
  const absl::Time limit = SteadyNow() + kForWatcher;
  while (!InItsThread() && !ended() && SteadyNow() < limit) {
    absl::SleepFor(absl::Milliseconds(1));
  }
  End(UnavailableError(
      "the plugin's process has ended; what it printed is still being logged, "
      "so how is not known"));
}

void WorkerWatch::AwaitEnd(absl::Duration timeout) {
  if (!IsOwn()) return;
  if (InItsThread()) {
    // Which would wait for itself.
    if (!EndsWithin(timeout)) Kill(process_.get());
    return;
  }
  // The kernel may keep a killed process, in a call on a disk that does not
  // answer.
  constexpr absl::Duration kDying = absl::Seconds(5);
  const absl::Time begin = SteadyNow();
  for (bool killed = false; !gone_->load(std::memory_order_acquire);) {
    const absl::Duration passed = SteadyNow() - begin;
    if (!killed && passed >= timeout) {
      Kill(process_.get());
      killed = true;
    }
    if (passed >= timeout + kDying) return;
    absl::SleepFor(absl::Microseconds(200));
  }
}

}  // namespace fsload
