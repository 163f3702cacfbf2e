// Loads a plugin in a process of its own, which it may take down.
#ifndef FSLOAD_TOOLS_FORKED_LOAD_H_
#define FSLOAD_TOOLS_FORKED_LOAD_H_

#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "loader/rules.h"

namespace fsload {

// The rules that the plugin at `path` breaks when it is loaded beside the
// bundled one. What it prints is dropped. ABORTED where its process ended
// before the load did, DEADLINE_EXCEEDED where it had to be killed, INTERNAL
// where there was none. Only for a process with one thread.
absl::StatusOr<std::set<RuleId>> RulesBrokenBy(const std::string& path,
                                               absl::Duration deadline);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FORKED_LOAD_H_
