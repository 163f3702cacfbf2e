// The changes that a verb will make, step by step: --dry-run prints them and
// execution walks them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

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

  // Does the same without deletions, whose time does not depend on the bytes.
  int64_t bytes_to_write() const;

  // Returns how many steps change something themselves, so without kDeleteRest.
  size_t countable_steps() const;

  bool only_deletes() const;
};

// What to do in a directory whose entries were deleted by name.
struct RestPlan {
  Plan plan;                          // deletes the directories
  std::set<std::string> directories;  // their URIs
  std::set<std::string> still_there;  // URIs of which an error was told
  bool is_whole = true;               // else the directory stays
  bool is_listed = true;  // else nobody knows what was deleted in it
};

// Prints one line per step, then the totals.
void PrintPlan(const Plan& plan, VerbOutput& output);

}  // namespace fsload
