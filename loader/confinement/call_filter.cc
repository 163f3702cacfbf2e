#include "loader/confinement/call_filter.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "absl/status/status.h"
#include "loader/machine/machine.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)  // kernel 5.19
#endif

// A program for the kernel's filter: it has one accumulator and only forward
// jumps.
class Program {
 public:
  explicit Program(bool ask)
      : refusal_(ask ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ERRNO | EPERM),
        counting_(ask ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ALLOW) {}

  const std::vector<sock_filter>& Build(absl::Span<const CallRule> rules) {
    Load(offsetof(seccomp_data, arch));
    Add(BPF_JMP | BPF_JEQ | BPF_K, ThisMachine().audit, 1, 0);
    Return(SECCOMP_RET_ERRNO | EPERM);
    Load(offsetof(seccomp_data, nr));
    for (const CallRule& rule : rules) AddRule(rule);
    Return(SECCOMP_RET_ERRNO | ENOSYS);
    return code_;
  }

 private:
  void Add(uint16_t code, uint32_t k, uint8_t if_true = 0,
           uint8_t if_false = 0) {
    code_.push_back({code, if_true, if_false, k});
  }
  void Load(size_t offset) {
    Add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
  }
  void Return(uint32_t action) { Add(BPF_RET | BPF_K, action); }

  uint32_t ActionOf(CallVerdict verdict) const {
    switch (verdict) {
      case CallVerdict::kAllowed:
        return SECCOMP_RET_ALLOW;
      case CallVerdict::kCounted:
        return counting_;
      case CallVerdict::kAbsent:
        return SECCOMP_RET_ERRNO | ENOSYS;
      case CallVerdict::kRefused:
        break;
    }
    return refusal_;
  }

  void AddRule(const CallRule& rule) {
    if (rule.when.empty()) {
      Add(BPF_JMP | BPF_JEQ | BPF_K, rule.number, 0, 1);
      Return(ActionOf(rule.verdict));
      return;
    }
    // The code that follows may be longer than a conditional jump can reach.
    Add(BPF_JMP | BPF_JEQ | BPF_K, rule.number, 1, 0);
    const size_t skip = code_.size();
    Add(BPF_JMP | BPF_JA, 0);
    for (const std::vector<ArgumentTest>& tests : rule.when) {
      AddTests(tests);
      Return(ActionOf(rule.verdict));
      for (const size_t jump : failing_) {
        code_[jump].jf = static_cast<uint8_t>(code_.size() - jump - 1);
      }
      failing_.clear();
    }
    Return(ActionOf(rule.otherwise));
    code_[skip].k = static_cast<uint32_t>(code_.size() - skip - 1);
  }

  // Falls through if all tests are true.
  void AddTests(const std::vector<ArgumentTest>& tests) {
    constexpr int kHalf = 32;
    for (const ArgumentTest& test : tests) {
      const size_t low =
          offsetof(seccomp_data, args) + sizeof(uint64_t) * test.argument;
      AddTest(low, static_cast<uint32_t>(test.mask),
              static_cast<uint32_t>(test.value));
      if (test.mask >> kHalf == 0) continue;
      AddTest(low + sizeof(uint32_t), static_cast<uint32_t>(test.mask >> kHalf),
              static_cast<uint32_t>(test.value >> kHalf));
    }
  }

  void AddTest(size_t offset, uint32_t mask, uint32_t value) {
    Load(offset);
    Add(BPF_ALU | BPF_AND | BPF_K, mask);
    failing_.push_back(code_.size());
    Add(BPF_JMP | BPF_JEQ | BPF_K, value);
  }

  const uint32_t refusal_;
  const uint32_t counting_;
  std::vector<sock_filter> code_;
  std::vector<size_t> failing_;  // jumps to after the tests
};

// A supervisor lets a call through by a flag of Linux 5.5; without it, it could
// only answer in its place.
bool CanLetCallsThrough() {
  utsname kernel = {};
  int major = 0;
  int minor = 0;
  return uname(&kernel) == 0 &&
         std::sscanf(kernel.release, "%d.%d", &major, &minor) == 2 &&
         (major > 5 || (major == 5 && minor >= 5));
}

}  // namespace

absl::StatusOr<int> FilterCalls(absl::Span<const CallRule> rules, bool ask) {
  if (ask && !CanLetCallsThrough()) return ErrnoError(ENOSYS, "seccomp");
  Program program(ask);
  std::vector<sock_filter> code = program.Build(rules);
  const sock_fprog filter = {static_cast<uint16_t>(code.size()), code.data()};
  const auto set = [&filter](unsigned long flags) {
    return static_cast<int>(
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter));
  };
  int result;
  if (ask) {
    // Without it, signals that a thread handles would make it ask again and
    // again.
    result = set(SECCOMP_FILTER_FLAG_NEW_LISTENER |
                 SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
    if (result < 0 && errno == EINVAL) {
      result = set(SECCOMP_FILTER_FLAG_NEW_LISTENER);
    }
  } else {
    result = set(0);
  }
  if (result < 0) return ErrnoError(errno, "seccomp");
  return ask ? result : -1;
}

}  // namespace fsload
