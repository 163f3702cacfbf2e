// System calls that the kernel refuses to this process: how a test gets the
// behaviour of an older kernel or a stricter sandbox for real.
#ifndef FSLOAD_CORE_TESTING_REFUSED_CALLS_H_
#define FSLOAD_CORE_TESTING_REFUSED_CALLS_H_

#include <optional>
#include <vector>

namespace fsload {

struct RefusedCall {
  int number;  // SYS_...
  int error;   // the errno it fails with
  // Only when the call's second argument is this: fcntl's command.
  std::optional<int> second_argument = std::nullopt;
};

// Refuses `calls` to the calling thread and what it starts from here on. It
// cannot be undone: for children of a test. False when the kernel has no
// seccomp filters.
bool RefuseCalls(const std::vector<RefusedCall>& calls);

}  // namespace fsload

#endif  // FSLOAD_CORE_TESTING_REFUSED_CALLS_H_
