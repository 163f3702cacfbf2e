// Does what a plan says.
#ifndef FSLOAD_TOOLS_FILES_TRANSFER_PLAN_EXECUTION_H_
#define FSLOAD_TOOLS_FILES_TRANSFER_PLAN_EXECUTION_H_

#include <cstddef>

#include "tools/files/output/verb_output.h"
#include "tools/files/plan/plan.h"

namespace fsload {

struct ExecutionOptions {
  size_t jobs = 4;       // files at once, at most
  bool replaces = true;  // files that are there; else they stay
  bool continue_on_error = false;
  bool quiet = false;  // tells of no progress
};

// Walks `plan`. Tells of each step that is done, of progress, of errors, and in
// the end how much was done. Ends at the first error, unless it is to go on; in
// any case at an interruption, where what was begun is taken back, and where a
// plugin ended a thread.
void Execute(const Plan& plan, const ExecutionOptions& options,
             VerbOutput& output);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TRANSFER_PLAN_EXECUTION_H_
