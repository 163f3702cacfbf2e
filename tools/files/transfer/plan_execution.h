// Executes a plan.
#pragma once

#include <cstddef>

#include "tools/files/output/verb_output.h"
#include "tools/files/plan/plan.h"

namespace fsload {

struct ExecutionOptions {
  size_t jobs = 4;       // parallel file transfers, at most
  bool replaces = true;  // existing files; else skips them
  bool continue_on_error = false;
  bool quiet = false;    // shows no progress
  bool verbose = false;  // prints the text of each step, not only its event
  size_t retries = 0;    // of a copy during which a plugin's process ended
};

// Executes `plan`. Reports each completed step, progress, errors, and finally
// the totals. Stops at the first error, unless it is to go on; always stops at
// an interruption, undoing unfinished work, and where a plugin ended a thread.
void Execute(const Plan& plan, const ExecutionOptions& options,
             VerbOutput& output);

}  // namespace fsload
