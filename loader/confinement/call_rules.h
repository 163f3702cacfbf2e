// Which system calls a confined process may make: an allow list.
#ifndef FSLOAD_LOADER_CONFINEMENT_CALL_RULES_H_
#define FSLOAD_LOADER_CONFINEMENT_CALL_RULES_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fsload {

// What becomes of a call.
enum class CallVerdict : uint8_t {
  kAllowed,
  kCounted,  // allowed, as often as the supervisor counts that it may be
  kRefused,  // EPERM, unless the supervisor finds that it is harmless
  kAbsent,   // ENOSYS, as of an older kernel: who calls it has another way
};

// Holds where the masked argument has this value. Where the mask is of 32 bits,
// the kernel looks at no more of the argument.
struct ArgumentTest {
  int argument;  // 0 is the first
  uint64_t mask;
  uint64_t value;
};

struct CallRule {
  int number;
  CallVerdict verdict;
  // Sets of tests: where all of one set hold, `verdict` is the call's; where
  // there are sets and none does, it is `otherwise`. Without sets, always.
  std::vector<std::vector<ArgumentTest>> when = {};
  CallVerdict otherwise = CallVerdict::kRefused;
};

// What the list depends on.
struct CallPolicy {
  bool network = false;  // sockets of the internet's protocols are allowed
  // Whether Landlock refuses to empty files outside the scratch folder; where
  // it has no right for that, calls that do it are refused.
  bool truncation_confined = true;
  pid_t process = 0;  // whose calls on itself are allowed
};

// The rules for all calls that have a name here, in the order of their numbers.
// All others are absent.
std::vector<CallRule> CallRules(const CallPolicy& policy);

// "openat"; "system call 600" for one without a name.
std::string CallName(int number);

// The number of the call with this name; negative where there is none.
int CallNumber(const char* name);

}  // namespace fsload

#endif  // FSLOAD_LOADER_CONFINEMENT_CALL_RULES_H_
