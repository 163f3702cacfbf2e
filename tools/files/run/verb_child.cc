#include "tools/files/run/verb_child.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/time/time.h"
#include "core/threads/steady_now.h"
#include "loader/supervision/crash_reporter.h"
#include "loader/supervision/shared_messages.h"
#include "third_party/fmt/format.h"
#include "tools/cli/exit_code.h"
#include "tools/cli/leave.h"
#include "tools/files/run/reachability.h"
#include "tools/session/interruption.h"
#include "tools/session/running_ops.h"
#include "tools/session/unfinished_work.h"
#include "tools/text/output.h"

namespace fsload {
namespace {

// First word of the message with the exit code. Without it, a plugin has ended
// the process.
constexpr std::string_view kDoneWord = "done";

absl::Status CannotStart(const char* call) {
  return ErrnoError(
      errno,
      "cannot start a process for the plugin (--in-process needs none): {}",
      call);
}

// The text after `word` in the last message that begins with it.
std::string MessageBehind(std::string_view word, std::string_view messages) {
  std::string rest;
  while (!messages.empty()) {
    const SharedMessage message = TakeMessage(messages);
    if (message.word == word) rest = std::string(message.rest);
  }
  return rest;
}

// Forwards signals that were sent to this process; those of the terminal reach
// the child too. Signals are blocked until there is a child, and while it is
// reaped, as its process ID may then be reused.
class InterruptionsSentOn {
 public:
  InterruptionsSentOn() {
    sigemptyset(&signals_);
    for (const int signal : kInterruptions) sigaddset(&signals_, signal);
    sigprocmask(SIG_BLOCK, &signals_, &before_);
    fd_ = signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);
  }
  ~InterruptionsSentOn() {
    LetThrough();
    if (fd_ >= 0) close(fd_);
  }
  InterruptionsSentOn(const InterruptionsSentOn&) = delete;
  InterruptionsSentOn& operator=(const InterruptionsSentOn&) = delete;

  // In the child, which handles them from here on.
  void LetThrough() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

  // Readable after a signal; -1 if the system gives no descriptor.
  int fd() const { return fd_; }

  // Receives pending signals and forwards them to `child`.
  void SendOn(pid_t child) const {
    signalfd_siginfo info = {};
    while (read(fd_, &info, sizeof(info)) == sizeof(info)) {
      if (info.ssi_code <= 0) kill(child, static_cast<int>(info.ssi_signo));
    }
  }

 private:
  sigset_t signals_;
  sigset_t before_;
  int fd_;
};

// The operation that has been running longest.
const RunningOp* Oldest(const std::vector<RunningOp>& ops) {
  const auto oldest = std::max_element(
      ops.begin(), ops.end(),
      [](const auto& a, const auto& b) { return a.running < b.running; });
  return oldest == ops.end() ? nullptr : &*oldest;
}

// `text` about `op`, after its URI.
std::string About(const RunningOp& op, std::string_view text) {
  return op.uri.empty() ? std::string(text) : Format("{}: {}", op.uri, text);
}

// How long the child, or this process with it, was stopped (Ctrl-Z): this
// process polls often, so after a long gap nobody was running.
class StoppedTime {
 public:
  // `longest`: the maximum time until the next call while all run.
  absl::Duration Ask(bool child_is_stopped, absl::Duration longest) {
    const absl::Time now = SteadyNow();
    const absl::Duration passed = now - asked_;
    asked_ = now;
    const bool stopped = child_is_stopped || passed > longest;
    return stopped ? passed : absl::ZeroDuration();
  }

 private:
  absl::Time asked_ = SteadyNow();
};

// Why the child was killed.
struct Killed {
  RunningOp op;  // that it was in
  absl::Status status;
};

absl::Status TakesTooLong(const RunningOp& op, absl::Duration deadline) {
  return absl::DeadlineExceededError(
      About(op, Format("{} did not return within {}, so its process was "
                       "killed; --op-timeout gives it more time",
                       op.op, absl::FormatDuration(deadline))));
}

// Why a child must be killed that is in `running`; none if it need not. One
// that waits for a dead server may go on if it would leave something
// unfinished.
std::optional<Killed> MustEnd(const std::vector<RunningOp>& running,
                              const OpDeadline& deadline,
                              ReachabilityWatch& server) {
  for (const RunningOp& op : running) {
    const absl::Duration limit = deadline(op);
    if (op.running > limit) return Killed{op, TakesTooLong(op, limit)};
  }
  const RunningOp* const oldest = Oldest(running);
  if (oldest == nullptr) return std::nullopt;
  absl::Status reachable = server.Ask(*oldest);
  if (reachable.ok() || !UnfinishedWork::Left().empty()) return std::nullopt;
  return Killed{*oldest, std::move(reachable)};
}

// Waits for the child and yields its wait status. Kills it if an operation
// takes too long, or its server is gone, and stores that in `killed`.
int Await(pid_t child, const InterruptionsSentOn& interruptions,
          RunningOps& ops, const OpDeadline& deadline,
          std::optional<Killed>& killed) {
  constexpr absl::Duration kDelay = absl::Seconds(1);  // on a busy machine
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  pollfd waiting[] = {{handle, POLLIN, 0}, {interruptions.fd(), POLLIN, 0}};
  // Without a handle (old kernels) polls the child.
  const int pause = handle < 0 ? 10 : 500;
  bool is_stopped = false;
  StoppedTime stopped;
  // What a question to a server took in the last round.
  constexpr absl::Duration kLongestQuestion = absl::Seconds(3);
  absl::Duration asking;
  // The kernel lets no process die in a call on a disk that does not answer.
  constexpr absl::Duration kDying = absl::Seconds(2);
  absl::Time killed_at = absl::InfiniteFuture();
  ReachabilityWatch server;
  for (;;) {
    if (SteadyNow() - killed_at > kDying) return SIGKILL;
    poll(waiting, std::size(waiting), pause);
    interruptions.SendOn(child);
    int status = 0;
    const pid_t changed =
        waitpid(child, &status, WNOHANG | WUNTRACED | WCONTINUED);
    if (changed == child && (WIFSTOPPED(status) || WIFCONTINUED(status))) {
      is_stopped = WIFSTOPPED(status);
    } else if (changed == child || (changed < 0 && errno != EINTR)) {
      if (handle >= 0) close(handle);
      return status;
    }
    const absl::Duration lost =
        stopped.Ask(is_stopped, absl::Milliseconds(pause) + kDelay + asking);
    asking = absl::ZeroDuration();
    if (lost > absl::ZeroDuration()) ops.LeaveOut(lost);
    if (killed.has_value()) continue;
    const absl::Time before = SteadyNow();
    killed = MustEnd(ops.All(), deadline, server);
    asking = std::min(SteadyNow() - before, kLongestQuestion);
    if (!killed.has_value()) continue;
    kill(child, SIGKILL);
    killed_at = SteadyNow();
  }
}

// The operation that caused the crash: that of the thread killed by a signal,
// or the one that ran longest.
const RunningOp* Culprit(const std::vector<RunningOp>& running,
                         const std::string& messages) {
  pid_t thread = 0;
  if (absl::SimpleAtoi(MessageBehind(kDyingThreadWord, messages), &thread)) {
    for (const RunningOp& op : running) {
      if (op.thread == thread) return &op;
    }
    return nullptr;
  }
  return Oldest(running);
}

// How the plugin ended the process: in `culprit`, null if that is unknown.
std::string CrashText(int wait_status, const RunningOp* culprit,
                      const std::string& messages) {
  const std::string where =
      culprit == nullptr ? "outside of its operations" : "in " + culprit->op;
  if (WIFEXITED(wait_status)) {
    const int code = WEXITSTATUS(wait_status);
    return culprit == nullptr
               ? Format("called exit({}) while it was loaded or unloaded", code)
               : Format("ended the process with exit code {} {}", code, where);
  }
  const Crash crash = ReadCrash(messages);
  return Format("{} {}: {}",
                crash.overflow ? "overflowed the stack" : "crashed", where,
                SignalText(WTERMSIG(wait_status), crash));
}

absl::Status WhyItDied(int wait_status, const RunningOp* culprit,
                       const std::string& messages, bool changes) {
  const std::string how = CrashText(wait_status, culprit, messages);
  const std::string text = culprit == nullptr
                               ? "a plugin " + how
                               : About(*culprit, "the plugin " + how);
  return InternalError("{}{}", text,
                       (changes ? "; what was done before is complete" : ""));
}

VerbEnd DescribeEnd(int wait_status, const RunningOps& ops,
                    const std::string& messages,
                    const std::optional<Killed>& killed, bool changes) {
  VerbEnd end;
  int exit_code = 0;
  if (WIFEXITED(wait_status) &&
      absl::SimpleAtoi(MessageBehind(kDoneWord, messages), &exit_code) &&
      exit_code == WEXITSTATUS(wait_status)) {
    end.exit_code = exit_code;
    return end;
  }
  end.left_undone = UnfinishedWork::Left();
  const std::vector<RunningOp> running = ops.All();
  const RunningOp* const culprit = Culprit(running, messages);
  if (culprit != nullptr) end.uri = culprit->uri;
  if (killed.has_value()) {
    end.uri = killed->op.uri;
    end.status = killed->status;
  } else if (WIFSIGNALED(wait_status) &&
             std::count(std::begin(kInterruptions), std::end(kInterruptions),
                        WTERMSIG(wait_status)) > 0) {
    end.status = absl::CancelledError(
        culprit == nullptr
            ? "interrupted twice"
            : About(*culprit, "interrupted twice, in " + culprit->op));
  } else {
    end.status = WhyItDied(wait_status, culprit, messages, changes);
  }
  return end;
}

// Runs in the child.
[[noreturn]] void RunVerbAndLeave(const std::function<int(OpObserver&)>& verb,
                                  RunningOps& ops, SharedMessages& messages,
                                  pid_t parent) {
  // Nothing may be written after a command that somebody has killed.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) Leave(kInterrupted);  // it died before prctl
  ReportCrash(messages);
  int exit_code = verb(ops);
  // The parent reports the error, which is in the memory that both share.
  exit_code = ExitCodeAfter(exit_code, FlushOutput());
  messages.Append(kDoneWord, std::to_string(exit_code));
  Leave(exit_code);
}

}  // namespace

VerbEnd RunInChild(const std::function<int(OpObserver&)>& verb,
                   const OpDeadline& deadline, bool changes) {
  ShareOutput();
  UnfinishedWork::Share();
  const std::unique_ptr<RunningOps> ops = RunningOps::Create();
  if (ops != nullptr) ops->TrackLocalCalls();
  const std::unique_ptr<SharedMessages> messages = SharedMessages::Create();
  VerbEnd end;
  if (ops == nullptr || messages == nullptr) {
    end.status = CannotStart("mmap");
    return end;
  }
  InterruptionsSentOn interruptions;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    end.status = CannotStart("fork");
    return end;
  }
  if (child == 0) {
    interruptions.LetThrough();
    RunVerbAndLeave(verb, *ops, *messages, parent);
  }
  std::optional<Killed> killed;
  const int wait_status = Await(child, interruptions, *ops, deadline, killed);
  return DescribeEnd(wait_status, *ops, messages->Text(), killed, changes);
}

}  // namespace fsload
