// Makes the kernel hold a process to rules for system calls.
#ifndef FSLOAD_LOADER_CONFINEMENT_CALL_FILTER_H_
#define FSLOAD_LOADER_CONFINEMENT_CALL_FILTER_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "loader/confinement/call_rules.h"

namespace fsload {

// Holds the calling thread, and what it starts, to `rules` for good. It must
// have "no new privileges", or be allowed to do without. The kernel's error
// where it does not.
//
// With `ask`, calls that are counted or refused wait for a decision, and the
// descriptor that they are read from (seccomp_unotify(2)) is yielded, which is
// the caller's; where nobody reads it any more they answer ENOSYS. Else -1 is
// yielded, and they are allowed and refused without.
absl::StatusOr<int> FilterCalls(absl::Span<const CallRule> rules, bool ask);

}  // namespace fsload

#endif  // FSLOAD_LOADER_CONFINEMENT_CALL_FILTER_H_
