// Runs all cases of a conformance run, each in a process of its own.
#pragma once

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "tools/conformance/options.h"
#include "tools/conformance/results.h"

namespace fsload::conformance {

// Sees how many of `all` cases have ended, and which of those that run began
// first: "" if none does.
using SeeProgress =
    std::function<void(size_t done, size_t all, const std::string& current)>;

// Runs the cases that `options` choose and cleans up after them. An error: the
// plugin cannot be loaded, or the root cannot be used; nothing was tested.
// `left_behind` gets what could not be deleted.
absl::StatusOr<ConformanceReport> RunConformance(
    const ConformanceOptions& options, const SeeProgress& see,
    std::string& left_behind);

}  // namespace fsload::conformance
