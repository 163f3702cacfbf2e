// Which system calls a confined process may make: an allow list.
#pragma once

#include <linux/sched.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fsload {

// What happens to a call.
enum class CallVerdict : uint8_t {
  kAllowed,
  kCounted,  // allowed, up to a limit that the supervisor counts
  kRefused,  // EPERM, unless the supervisor finds it harmless
  kAbsent,   // ENOSYS, as in an older kernel: callers have a fallback
};

// True if the masked argument has this value. With a 32-bit mask, the kernel
// looks only at that half of the argument.
struct ArgumentTest {
  int argument;  // 0 is the first
  uint64_t mask;
  uint64_t value;
};

struct CallRule {
  int number;
  CallVerdict verdict;
  // Sets of tests: if all of one set are true, the call's result is `verdict`;
  // if there are sets and none is true, it is `otherwise`. Without sets it is
  // always `verdict`.
  std::vector<std::vector<ArgumentTest>> when = {};
  CallVerdict otherwise = CallVerdict::kRefused;
};

// What the list depends on.
struct CallPolicy {
  bool network = false;  // internet sockets are allowed
  bool programs = true;  // others may be executed, and children started
  // Whether Landlock prevents truncating files outside the scratch folder; if
  // it lacks that right, calls that truncate are refused.
  bool truncation_confined = true;
  pid_t process = 0;  // its calls on itself are allowed
};

// The flags of clone(2) that make new namespaces, or a child of the parent,
// which would be no descendant of the confined process.
inline constexpr uint64_t kRefusedCloneFlags =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_PARENT;

// Returns the rules for all calls listed here, ordered by number. All other
// calls are absent.
std::vector<CallRule> CallRules(const CallPolicy& policy);

// Returns "openat"; "system call 600" for an unknown one.
std::string CallName(int number);

// Returns the number of the call with this name; negative if there is none.
int CallNumber(const char* name);

}  // namespace fsload
