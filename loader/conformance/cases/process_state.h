// What belongs to the whole process, and is not a plugin's to change.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fsload::conformance {

// By name: "the working directory" is "/tmp". Of this thread, where threads
// differ.
using ProcessState = std::map<std::string, std::string>;
ProcessState ReadProcessState();

// Returns "the umask is 0000, and was 0027" for each difference; of variables,
// whose values may be secret, "the environment differs in HOME TZ".
std::vector<std::string> Differences(const ProcessState& before,
                                     const ProcessState& after);

// Returns the numbers that name entries of a directory of /proc: descriptors in
// "/proc/self/fd", where one is that of the listing, threads in
// "/proc/self/task".
std::vector<int> NumbersIn(const char* path);

// Returns the bytes in use, with blocks that have a mapping of their own. 0
// where the allocator is another one, as a sanitizer's.
int64_t HeapBytes();

// Gives the process a state that no plugin would choose, so that one that sets
// a usual one is seen, and gives it the old one back. One at a time.
class UnusualProcessState final {
 public:
  UnusualProcessState();
  ~UnusualProcessState();
  UnusualProcessState(const UnusualProcessState&) = delete;
  UnusualProcessState& operator=(const UnusualProcessState&) = delete;

  // Sets it again, after an operation has changed it.
  void Set();

  static constexpr const char* kDirectory = "/proc";
  static constexpr mode_t kUmask = 0027;

 private:
  static constexpr std::array<int, 4> kSignals = {SIGPIPE, SIGCHLD, SIGUSR1,
                                                  SIGALRM};

  int directory_;
  mode_t umask_;
  sigset_t mask_;
  std::array<struct sigaction, kSignals.size()> actions_;
  std::string locale_;
  std::string time_zone_;
  bool had_time_zone_;
};

}  // namespace fsload::conformance
