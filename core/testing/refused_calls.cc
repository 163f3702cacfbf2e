#include "core/testing/refused_calls.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fsload {
namespace {

sock_filter Load(size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
}

// Skips `statements` unless the loaded word is `value`.
sock_filter UnlessEqualSkip(uint32_t value, uint8_t statements) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, statements);
}

sock_filter Answer(uint32_t action) {
  return BPF_STMT(BPF_RET | BPF_K, action);
}

}  // namespace

bool RefuseCalls(const std::vector<RefusedCall>& calls) {
  std::vector<sock_filter> program;
  for (const RefusedCall& call : calls) {
    const bool conditional = call.second_argument.has_value();
    program.push_back(Load(offsetof(seccomp_data, nr)));
    program.push_back(UnlessEqualSkip(call.number, conditional ? 3 : 1));
    if (conditional) {
      program.push_back(Load(offsetof(seccomp_data, args[1])));
      program.push_back(UnlessEqualSkip(*call.second_argument, 1));
    }
    program.push_back(Answer(SECCOMP_RET_ERRNO | call.error));
  }
  program.push_back(Answer(SECCOMP_RET_ALLOW));
  const sock_fprog filter = {static_cast<unsigned short>(program.size()),
                             program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace fsload
