// The changes that a verb will make, step by step: --dry-run prints them and
// execution walks them.
#ifndef FSLOAD_TOOLS_FILES_PLAN_PLAN_H_
#define FSLOAD_TOOLS_FILES_PLAN_PLAN_H_

#include <cstddef>
#include <cstdint>

#include "tools/files/output/verb_output.h"
#include "tools/files/plan/step.h"
#include "tools/files/plan/step_list.h"

namespace fsload {

// In execution order (StepList::Sort).
struct Plan {
  StepList steps;
  size_t skipped = 0;  // files left out because their targets exist

  // Whether nothing is deleted once a step has failed.
  bool deletes_after_success = false;

  size_t files() const;
  int64_t bytes() const;
};

// Prints one line per step, then the totals.
void PrintPlan(const Plan& plan, VerbOutput& output);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_PLAN_H_
