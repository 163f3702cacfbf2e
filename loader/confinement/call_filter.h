// Makes the kernel enforce rules for system calls.
#pragma once

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "loader/confinement/call_rules.h"

namespace fsload {

// Applies `rules` permanently to the calling thread and whatever it starts. The
// thread must have "no new privileges", or the right to do without. Returns the
// kernel's error on failure.
//
// With `ask`, counted and refused calls wait for a decision; returns the
// descriptor from which they are read (seccomp_unotify(2)), which the caller
// owns; once nobody has it open they fail with ENOSYS. Otherwise returns -1:
// counted calls are allowed and refused ones refused without a decision.
absl::StatusOr<int> FilterCalls(absl::Span<const CallRule> rules, bool ask);

}  // namespace fsload
