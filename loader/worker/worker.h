// The process that an isolated plugin runs in.
#pragma once

#include "absl/types/span.h"

namespace fsload {

// Serves the process that started this one (loader/isolation/worker_watch.h):
// loads the plugin that it names and makes its calls, until it ends.
// `arguments` are those of this process after WorkerProgram::arguments
// (loader/isolation/worker_program.h). Returns an exit code: 2, with a line of
// explanation, if nobody can be served. For a process with one thread.
int RunWorker(absl::Span<char* const> arguments);

}  // namespace fsload
