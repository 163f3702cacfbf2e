#include "loader/supervision/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio_ext.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/system/descriptor.h"
#include "loader/confinement/process_tree.h"
#include "loader/confinement/syscall_broker.h"
#include "loader/supervision/memory_watch.h"
#include "loader/supervision/scratch_folder.h"

namespace fsload {
namespace {

// Closes the caller's descriptors except these: a plugin must not find them,
// and a pipe of another run must not stay open here. Kernels before 5.9 cannot.
void CloseAllBut(std::initializer_list<int> kept) {
  std::vector<int> sorted(kept);
  std::sort(sorted.begin(), sorted.end());
  unsigned first = STDERR_FILENO + 1;
  for (const int fd : sorted) {
    if (fd > static_cast<int>(first)) close_range(first, fd - 1, 0);
    first = std::max<unsigned>(first, fd + 1);
  }
  close_range(first, ~0U, 0);
}

// Reaps processes that have ended, for at most `most`; returns how many.
// `others` receives whether there are more.
int Reap(std::chrono::milliseconds most, bool& others) {
  const auto end = std::chrono::steady_clock::now() + most;
  for (int reaped = 0;; ++reaped) {
    const pid_t ended = waitpid(-1, nullptr, WNOHANG);
    others = ended >= 0 || errno != ECHILD;
    if (ended <= 0) return reaped;
    // Each one that ends may have started another.
    if (std::chrono::steady_clock::now() >= end) return reaped + 1;
  }
}

// Kills all descendants of this process, which become its children, until none
// are left or none of them can be killed.
void EndStrays(Verdict& verdict) {
  constexpr std::chrono::seconds kGracePeriod(5);
  constexpr std::chrono::milliseconds kLong(100);
  constexpr std::chrono::milliseconds kPause(1);
  bool others;
  // These have ended by themselves and only need to be reaped.
  Reap(kLong, others);
  auto last = std::chrono::steady_clock::now();
  while (others) {
    KillDescendants(getpid());
    // Killed processes take a moment to end.
    std::this_thread::sleep_for(kPause);
    const int reaped = Reap(kLong, others);
    const auto now = std::chrono::steady_clock::now();
    if (reaped > 0) {
      verdict.strays += reaped;
      last = now;
    } else if (now - last >= kGracePeriod) {
      verdict.survivors = 1;
      return;
    }
  }
}

// The child's side.
[[noreturn]] void RunCode(const SupervisorTask& task,
                          const ChildContext& context, int output) {
  setsid();  // no terminal, and none of its signals
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(empty, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  CloseAllBut({context.supervisor});
  // Output that the caller has not yet flushed must not be printed by the
  // child, and the child's output must be written before it dies.
  __fpurge(stdout);
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  task.code(context);
  std::exit(task.code_of_return);
}

// Returns when the child has ended, by itself, or killed for the lifeline or
// its memory.
void AwaitChild(pid_t child, int lifeline, int link, const SupervisorTask& task,
                const std::string& scratch_folder, Verdict& verdict) {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  std::unique_ptr<SyscallBroker> broker;
  MemoryWatch memory(child, task.max_memory_bytes);
  // Without a handle (old kernels) the child is polled.
  constexpr int kAskAgain = 10;
  while (true) {
    const int timeout = handle < 0 ? kAskAgain : memory.Pause();
    const int calls = broker == nullptr ? link : broker->listener();
    pollfd waiting[] = {
        {lifeline, POLLIN, 0}, {handle, POLLIN, 0}, {calls, POLLIN, 0}};
    if (poll(waiting, 3, timeout) < 0) continue;
    bool cut = waiting[0].revents != 0;
    if (waiting[2].revents != 0 && broker == nullptr) {
      Descriptor listener = ReceiveDescriptor(link);
      close(std::exchange(link, -1));
      if (listener.ok()) {
        broker = std::make_unique<SyscallBroker>(std::move(listener),
                                                 scratch_folder, task.refused);
      }
    } else if ((waiting[2].revents & POLLIN) != 0) {
      broker->Decide();
    }
    if (memory.Exceeded()) verdict.memory_used_up = cut = true;
    if (cut) kill(child, SIGKILL);
    const pid_t ended = waitpid(child, &verdict.wait_status, cut ? 0 : WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return;
  }
}

}  // namespace

void Supervise(const SupervisorTask& task, const SupervisorPipes& pipes) {
  // A terminal's interrupt is for the caller: when the caller ends, the
  // lifeline closes and this process does its work.
  setsid();
  std::signal(SIGPIPE, SIG_IGN);
  // The caller's parent may have had it ignored: the kernel would then not
  // report how a child ended.
  std::signal(SIGCHLD, SIG_DFL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  CloseAllBut({pipes.lifeline, pipes.verdict, pipes.output});
  // Here, because the caller may be gone at the end.
  const ScratchFolder scratch;
  int link[2] = {-1, -1};
  if (task.refused != nullptr &&
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, link) != 0) {
    link[0] = link[1] = -1;
  }
  Verdict verdict = {};
  const pid_t child = fork();
  if (child < 0) verdict.fork_error = errno;
  if (child == 0) RunCode(task, {scratch.path(), link[1]}, pipes.output);
  close(pipes.output);
  close(link[1]);
  if (child > 0) {
    AwaitChild(child, pipes.lifeline, link[0], task, scratch.path(), verdict);
  }
  EndStrays(verdict);
  ssize_t written;
  do {
    written = write(pipes.verdict, &verdict, sizeof(verdict));
  } while (written < 0 && errno == EINTR);
  // The reader of the verdict need not wait for what follows.
  close(pipes.verdict);
  scratch.Remove();
  _exit(written == sizeof(verdict) ? 0 : 1);
}

}  // namespace fsload
