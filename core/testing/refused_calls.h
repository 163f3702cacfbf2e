// System calls that the kernel refuses to this process: lets a test run under
// the real conditions of an older kernel or a stricter sandbox.
#pragma once

#include <optional>
#include <vector>

namespace fsload {

struct RefusedCall {
  int number;  // SYS_...
  int error;   // the errno it fails with
  // Only if the call's second argument is this: fcntl's command.
  std::optional<int> second_argument = std::nullopt;
};

// Refuses `calls` to the calling thread and whatever it starts. It cannot be
// undone, so use it in children of a test. False if the kernel has no seccomp
// filters.
bool RefuseCalls(const std::vector<RefusedCall>& calls);

}  // namespace fsload
