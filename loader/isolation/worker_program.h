// Where the program is that plugins run in.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "loader/isolation/worker_environment.h"

namespace fsload {

// Its argument after WorkerProgram::arguments if it is to be confined; the
// paths of the folders that it may write to follow.
inline constexpr char kConfinedWord[] = "--confined";

struct WorkerProgram {
  std::string path;
  std::vector<std::string> arguments = {};
};

// Returns the program at `given`, or, if that is "", the one that was set, or
// the first that is there: beside this program's or library's installation, in
// Bazel's runfiles, which `environment` names, in the Python package.
// NOT_FOUND, naming the paths; PERMISSION_DENIED for one that everybody may
// write to. Thread-safe.
absl::StatusOr<WorkerProgram> FindWorkerProgram(const std::string& given,
                                                const Environment& environment);

// Makes `program` the one that FindWorkerProgram returns for "": a program that
// is its own worker. Call it before any thread loads plugins.
void SetWorkerProgram(WorkerProgram program);

}  // namespace fsload
