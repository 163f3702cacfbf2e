#include "loader/confined_load/host_state.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <exception>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "compat/environment.h"
#include "core/system/proc_fields.h"
#include "loader/machine/machine.h"
#include "loader/supervision/signal_text.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

std::string ReadWorkingDirectory() {
  char path[PATH_MAX];
  return getcwd(path, sizeof(path)) == nullptr ? strerror(errno) : path;
}

// From /proc: the system call that reads it also sets it, which other threads
// would see.
std::string ReadUmask() {
  return std::string(ProcFields("/proc/self/status").Text("Umask"));
}

std::string ReadSignalMask() {
  sigset_t mask;
  sigemptyset(&mask);
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  std::vector<std::string> names;
  for (int signal = 1; signal < SIGRTMIN; ++signal) {
    if (sigismember(&mask, signal) != 1) continue;
    names.push_back(SignalName(signal));
  }
  return names.empty() ? "none blocked"
                       : absl::StrJoin(names, " ") + " blocked";
}

std::string ReadUser() {
  uid_t user[3] = {};
  gid_t group[3] = {};
  getresuid(&user[0], &user[1], &user[2]);
  getresgid(&group[0], &group[1], &group[2]);
  return Format("user {}/{}/{}, group {}/{}/{}", user[0], user[1], user[2],
                group[0], group[1], group[2]);
}

std::string ReadTimers() {
  std::vector<std::string> running;
  const struct {
    __itimer_which_t which;
    const char* name;
  } kTimers[] = {{ITIMER_REAL, "a timer for SIGALRM"},
                 {ITIMER_VIRTUAL, "a timer for SIGVTALRM"},
                 {ITIMER_PROF, "a timer for SIGPROF"}};
  for (const auto& timer : kTimers) {
    itimerval value = {};
    getitimer(timer.which, &value);
    if (value.it_value.tv_sec != 0 || value.it_value.tv_usec != 0) {
      running.emplace_back(timer.name);
    }
  }
  return running.empty() ? "none" : absl::StrJoin(running, ", ");
}

std::string ReadTerminateHandler() {
  return Format("{}", reinterpret_cast<void*>(std::get_terminate()));
}

constexpr HostStatePart kParts[] = {
    {RuleId::kKeepsWorkingDirectory, "the working directory",
     "the host's relative paths would name different files",
     &ReadWorkingDirectory},
    {RuleId::kKeepsUmask, "the umask",
     "files that the host creates get different modes", &ReadUmask},
    {RuleId::kKeepsSignalMask, "the signal mask",
     "the host would miss signals, or get some that it does not expect",
     &ReadSignalMask},
    {RuleId::kKeepsEnvironment, "the environment",
     "the host and its other libraries would see changed settings, and a "
     "thread calling getenv at that moment may crash",
     &EnvironmentText},
    {RuleId::kKeepsUser, "the user or group",
     "the host has different privileges from those it was given", &ReadUser},
    {RuleId::kKeepsFloatingPoint, "the floating-point mode",
     "the host computes different results", &FloatingPointSettings},
    {RuleId::kKeepsTimers, "the timers",
     "the host gets signals that it did not ask for, or misses its own",
     &ReadTimers},
    {RuleId::kKeepsTerminateHandler, "the terminate handler",
     "the host cannot report why it ended", &ReadTerminateHandler},
};

}  // namespace

const HostStatePart* PartOf(RuleId rule) {
  const auto* const found = std::find_if(
      std::begin(kParts), std::end(kParts),
      [rule](const HostStatePart& part) { return part.rule == rule; });
  return found == std::end(kParts) ? nullptr : found;
}

HostStateWatch::HostStateWatch() {
  for (const HostStatePart& part : kParts) found_.push_back(part.read());
}

std::vector<HostStateWatch::Change> HostStateWatch::Changes() {
  std::vector<Change> changes;
  for (size_t i = 0; i < std::size(kParts); ++i) {
    std::string now = kParts[i].read();
    // If /proc cannot be read because all descriptors are in use, nothing is
    // known; only the environment may be empty.
    const bool may_be_empty = kParts[i].rule == RuleId::kKeepsEnvironment;
    if (now == found_[i] || (now.empty() && !may_be_empty)) continue;
    if (found_[i].empty() && !may_be_empty) {
      found_[i] = std::move(now);
      continue;
    }
    changes.push_back(
        {kParts[i].rule, kParts[i].rule == RuleId::kKeepsEnvironment
                             ? ChangedVariables(found_[i], now)
                             : Format("{} before, {} after", found_[i], now)});
    found_[i] = std::move(now);
  }
  return changes;
}

}  // namespace fsload
