#include "tools/forked_load.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "loader/load_report.h"
#include "tools/session.h"

namespace fsload {
namespace {

// What the child writes after the numbers of the rules: no rule's.
constexpr uint16_t kDone = 0;

absl::Status SystemError(const char* call) {
  return absl::InternalError(
      fmt::format("wanted a process to load a plugin in: {}: {}; it was not "
                  "tried",
                  call, strerror(errno)));
}

void DropOutput() {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    dup2(null, fd);
  }
}

[[noreturn]] void LoadInChild(const std::string& path, int to) {
  constexpr rlimit kNoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &kNoCore);
  DropOutput();
  std::vector<uint16_t> numbers;
  {
    Session session;
    session.Load("");  // its schemes are taken
    for (const Finding& finding : session.Load(path).findings) {
      numbers.push_back(static_cast<uint16_t>(finding.rule));
    }
  }
  numbers.push_back(kDone);
  const size_t bytes = numbers.size() * sizeof(numbers[0]);
  _exit(write(to, numbers.data(), bytes) == static_cast<ssize_t>(bytes) ? 0
                                                                        : 1);
}

// What the child wrote until it was done, or ended, or the deadline came.
std::vector<uint16_t> ReadNumbers(int from, absl::Time deadline) {
  std::vector<uint16_t> numbers;
  while (numbers.empty() || numbers.back() != kDone) {
    const int64_t left = absl::ToInt64Milliseconds(deadline - absl::Now());
    const auto wait = static_cast<int>(
        std::clamp<int64_t>(left, 0, std::numeric_limits<int>::max()));
    pollfd readable = {from, POLLIN, 0};
    if (poll(&readable, 1, wait) == 0) break;
    uint16_t number;
    if (read(from, &number, sizeof(number)) != sizeof(number)) break;
    numbers.push_back(number);
  }
  return numbers;
}

std::string Ending(int status) {
  return WIFSIGNALED(status) ? fmt::format("signal {} ({})", WTERMSIG(status),
                                           strsignal(WTERMSIG(status)))
                             : fmt::format("exit code {}", WEXITSTATUS(status));
}

}  // namespace

absl::StatusOr<std::set<RuleId>> RulesBrokenBy(const std::string& path,
                                               absl::Duration deadline) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return SystemError("pipe2");
  const absl::Time end = absl::Now() + deadline;
  const pid_t child = fork();
  if (child == 0) LoadInChild(path, ends[1]);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return SystemError("fork");
  }
  std::vector<uint16_t> numbers = ReadNumbers(ends[0], end);
  close(ends[0]);
  const bool late = absl::Now() >= end;
  kill(child, SIGKILL);  // one that has ended keeps its ending
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (numbers.empty() || numbers.back() != kDone) {
    return late ? absl::DeadlineExceededError(fmt::format(
                      "wanted the load to end within {}, found that it did "
                      "not; it was killed",
                      absl::FormatDuration(deadline)))
                : absl::AbortedError(fmt::format(
                      "wanted the load to end, found that its process ended "
                      "before, with {}",
                      Ending(status)));
  }
  numbers.pop_back();
  std::set<RuleId> rules;
  for (const uint16_t number : numbers) {
    rules.insert(static_cast<RuleId>(number));
  }
  return rules;
}

}  // namespace fsload
