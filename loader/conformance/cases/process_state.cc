#include "loader/conformance/cases/process_state.h"

#include <dirent.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "compat/environment.h"
#include "core/system/proc_fields.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {
namespace {

constexpr char kEnvironment[] = "the environment";

std::string WorkingDirectory() {
  char path[4096];
  return getcwd(path, sizeof(path)) != nullptr ? path : "unknown";
}

// A line of /proc/thread-self/status: umask(2) cannot ask without setting.
std::string StatusLine(const char* name) {
  return std::string(ProcFields("/proc/thread-self/status").Text(name));
}

std::string ActionOf(int signal) {
  struct sigaction action;
  if (sigaction(signal, nullptr, &action) != 0) return "reserved";
  if (action.sa_handler == SIG_DFL) return "the default";
  if (action.sa_handler == SIG_IGN) return "to ignore it";
  return Format("a handler at {:#x} with flags {:#x}",
                reinterpret_cast<uintptr_t>(action.sa_sigaction),
                static_cast<unsigned>(action.sa_flags));
}

std::string LimitOf(int resource) {
  rlimit limit = {};
  getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
  return Format("{} of {}", limit.rlim_cur, limit.rlim_max);
}

std::string Describe(int descriptor) {
  struct stat file;
  if (fstat(descriptor, &file) != 0) return "closed";
  return Format("file {} of device {} with flags {:#x}", file.st_ino,
                file.st_dev, static_cast<unsigned>(fcntl(descriptor, F_GETFL)));
}

std::string Timer() {
  itimerval timer = {};
  getitimer(ITIMER_REAL, &timer);
  return timerisset(&timer.it_value) ? "set" : "not set";
}

std::string ThreadName() {
  char name[16] = {};
  prctl(PR_GET_NAME, name);
  return name;
}

void Nothing(int) {}

}  // namespace

ProcessState ReadProcessState() {
  ProcessState state = {
      {"the working directory", WorkingDirectory()},
      {"the umask", StatusLine("Umask")},
      {"the mask of blocked signals", StatusLine("SigBlk")},
      {"the user", StatusLine("Uid")},
      {"the group", StatusLine("Gid")},
      {"the locale", setlocale(LC_ALL, nullptr)},
      {"the thread's locale",
       Format("{:#x}", reinterpret_cast<uintptr_t>(
                           uselocale(static_cast<locale_t>(nullptr))))},
      {kEnvironment, EnvironmentText()},
      {"the rounding of numbers", std::to_string(fegetround())},
      {"the timer of SIGALRM", Timer()},
      {"the thread's name", ThreadName()},
      {"the priority", std::to_string(getpriority(PRIO_PROCESS, 0))},
      {"the limit of descriptors", LimitOf(RLIMIT_NOFILE)},
      {"the limit of a file's size", LimitOf(RLIMIT_FSIZE)},
      {"the limit of a core's size", LimitOf(RLIMIT_CORE)},
      {"the limit of a stack's size", LimitOf(RLIMIT_STACK)},
      {"the standard input", Describe(STDIN_FILENO)},
      {"the standard output", Describe(STDOUT_FILENO)},
      {"the standard error", Describe(STDERR_FILENO)},
  };
  for (int signal = 1; signal < NSIG; ++signal) {
    state[Format("the action for signal {}", signal)] = ActionOf(signal);
  }
  return state;
}

std::vector<std::string> Differences(const ProcessState& before,
                                     const ProcessState& after) {
  std::vector<std::string> differences;
  for (const auto& [name, value] : before) {
    const std::string& found = after.at(name);
    if (found == value) continue;
    differences.push_back(
        name == kEnvironment
            ? Format("{} differs in {}", name, ChangedVariables(value, found))
            : Format("{} is {}, and was {}", name, found, value));
  }
  return differences;
}

std::vector<int> NumbersIn(const char* path) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path), &closedir);
  std::vector<int> numbers;
  while (folder != nullptr) {
    const dirent* const entry = readdir(folder.get());
    if (entry == nullptr) break;
    if (entry->d_name[0] != '.') numbers.push_back(std::atoi(entry->d_name));
  }
  return numbers;
}

int64_t HeapBytes() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<int64_t>(heap.uordblks + heap.hblkhd);
}

UnusualProcessState::UnusualProcessState()
    : directory_(open(".", O_PATH | O_CLOEXEC)),
      umask_(umask(kUmask)),
      locale_(setlocale(LC_ALL, nullptr)) {
  pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
  for (size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &actions_[i]);
  }
  const char* const zone = getenv("TZ");
  had_time_zone_ = zone != nullptr;
  if (had_time_zone_) time_zone_ = zone;
  Set();
}

void UnusualProcessState::Set() {
  // Without it the case still sees most of what is changed.
  if (chdir(kDirectory) != 0) return;
  umask(kUmask);
  sigset_t blocked = mask_;
  sigaddset(&blocked, SIGUSR2);
  sigaddset(&blocked, SIGWINCH);
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
  struct sigaction action = {};
  action.sa_handler = Nothing;
  action.sa_flags = SA_RESTART;
  for (const int signal : kSignals) sigaction(signal, &action, nullptr);
  setlocale(LC_ALL, "C");
  setlocale(LC_CTYPE, "C.UTF-8");
  setenv("TZ", "FSLOAD-3:21", 1);
}

UnusualProcessState::~UnusualProcessState() {
  umask(umask_);
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  for (size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &actions_[i], nullptr);
  }
  setlocale(LC_ALL, locale_.c_str());
  if (had_time_zone_) {
    setenv("TZ", time_zone_.c_str(), 1);
  } else {
    unsetenv("TZ");
  }
  if (directory_ < 0) return;
  static_cast<void>(fchdir(directory_) == 0);
  close(directory_);
}

}  // namespace fsload::conformance
