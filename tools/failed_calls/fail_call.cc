// Runs a command, one system call of which fails instead of being made.
//
//   fail_call LOG CALL ERROR WHICH COMMAND...
//
// CALL and ERROR are numbers. WHICH counts these calls in all processes of the
// command, from 1; 0 is none. LOG gets a line when the call has failed, and in
// the end one with how many there were. Ends as the command does; what that
// leaves running is killed.
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

namespace {

constexpr int kOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK |
                         PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                         PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
constexpr int kOfSystemCall = SIGTRAP | 0x80;  // PTRACE_O_TRACESYSGOOD

[[noreturn]] void Die(const char* what) {
  std::fprintf(stderr, "fail_call: %s: %s\n", what, std::strerror(errno));
  std::exit(125);
}

// --- What depends on the processor ---

// Has the kernel make no call of a process that is stopped before one.
void SkipCall(pid_t process) {
#if defined(__aarch64__)
  int none = -1;
  iovec number = {&none, sizeof(none)};
  ptrace(PTRACE_SETREGSET, process, NT_ARM_SYSTEM_CALL, &number);
#elif defined(__x86_64__)
  ptrace(PTRACE_POKEUSER, process, offsetof(user, regs.orig_rax), -1L);
#else
#error "how this processor's kernel is told to make no call"
#endif
}

// Sets what a call returns to a process that is stopped after it.
void SetResult(pid_t process, long result) {
#if defined(__aarch64__)
  user_regs_struct registers;
  iovec all = {&registers, sizeof(registers)};
  ptrace(PTRACE_GETREGSET, process, NT_PRSTATUS, &all);
  registers.regs[0] = static_cast<unsigned long>(result);
  ptrace(PTRACE_SETREGSET, process, NT_PRSTATUS, &all);
#elif defined(__x86_64__)
  ptrace(PTRACE_POKEUSER, process, offsetof(user, regs.rax), result);
#else
#error "the register of this processor in which calls return"
#endif
}

// --- The rest ---

class Failing {
 public:
  Failing(FILE* log, unsigned long call, int error, long which)
      : log_(log), call_(call), error_(error), which_(which) {}

  // Follows `command` until it has ended; returns its status of waitpid.
  int Follow(pid_t command) {
    for (;;) {
      int status = 0;
      const pid_t process = waitpid(-1, &status, __WALL);
      if (process < 0) Die("waitpid");
      if (!WIFSTOPPED(status)) {
        if (process != command) continue;
        std::fprintf(log_, "%ld calls\n", calls_);
        std::fclose(log_);
        return status;
      }
      GoOn(process, status >> 16, WSTOPSIG(status));
    }
  }

 private:
  // Lets a stopped process run to its next system call.
  void GoOn(pid_t process, int event, int signal) {
    if (event == PTRACE_EVENT_STOP && signal != SIGTRAP) {
      ptrace(PTRACE_LISTEN, process, 0, 0);  // until SIGCONT
      return;
    }
    const bool of_call = signal == kOfSystemCall;
    if (of_call) AtCall(process);
    ptrace(PTRACE_SYSCALL, process, 0, event != 0 || of_call ? 0 : signal);
  }

  void AtCall(pid_t process) {
    __ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof(info), &info) <= 0) {
      return;
    }
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY && info.entry.nr == call_ &&
        ++calls_ == which_) {
      SkipCall(process);
      failing_.insert(process);
      std::fprintf(log_, "failed: call %ld, process %d\n", calls_, process);
      std::fflush(log_);
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT &&
               failing_.erase(process) != 0) {
      SetResult(process, -error_);
    }
  }

  FILE* const log_;  // closed by Follow
  const unsigned long call_;
  const int error_;
  const long which_;
  long calls_ = 0;
  std::set<pid_t> failing_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) return 125;
  FILE* const log = std::fopen(argv[1], "we");
  if (log == nullptr) Die(argv[1]);
  int go_on[2];
  if (pipe(go_on) != 0) Die("pipe");
  const pid_t command = fork();
  if (command < 0) Die("fork");
  if (command == 0) {
    char byte;
    close(go_on[1]);
    static_cast<void>(!read(go_on[0], &byte, 1));
    close(go_on[0]);
    execvp(argv[5], argv + 5);
    Die(argv[5]);
  }
  if (ptrace(PTRACE_SEIZE, command, 0, kOptions) != 0) Die("PTRACE_SEIZE");
  close(go_on[0]);
  close(go_on[1]);
  Failing failing(log, std::strtoul(argv[2], nullptr, 10), std::atoi(argv[3]),
                  std::atol(argv[4]));
  const int status = failing.Follow(command);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return 128 + WTERMSIG(status);
}
