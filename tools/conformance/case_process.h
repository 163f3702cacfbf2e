// Child processes that load the plugin: one to prepare a run, one for each
// case, one to clean up after each case that died, and one at the end.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "loader/conformance/run_case.h"
#include "loader/supervision/supervised_child.h"
#include "tools/conformance/options.h"
#include "tools/conformance/results.h"

namespace fsload::conformance {

// Returns whether the level and the patterns of `options` choose `run`.
bool IsChosen(const ConformanceOptions& options, const CaseRun& run);

// Loads the plugin, takes possession of the root and returns the runs: those
// with a reason are skipped, the others yet to be run. The error says why the
// root cannot be used, or how the plugin failed.
absl::StatusOr<std::vector<RunResult>> Prepare(
    const ConformanceOptions& options);

// Starts `run` in a directory of its own, called `name`.
absl::StatusOr<std::unique_ptr<SupervisedChild>> StartCase(
    const ConformanceOptions& options, const CaseRun& run,
    const std::string& name);

// Returns the result of a child from StartCase that is over.
RunResult FinishCase(const ConformanceOptions& options, const CaseRun& run,
                     const std::string& name, SupervisedChild& child);

// Starts to delete the directory called `name`, or with "" all that the run
// created. The deadline is that of a case.
absl::StatusOr<std::unique_ptr<SupervisedChild>> StartCleanUp(
    const ConformanceOptions& options, const std::string& name);

// Waits for a child from StartCleanUp, and returns what is left, "" if nothing.
std::string FinishCleanUp(
    const ConformanceOptions& options, const std::string& name,
    const absl::StatusOr<std::unique_ptr<SupervisedChild>>& child);

}  // namespace fsload::conformance
