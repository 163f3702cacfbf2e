#include "tools/files/plan/plan.h"

#include <cstdint>

#include "third_party/fmt/format.h"
#include "tools/files/output/progress_text.h"

namespace fsload {

size_t Plan::files() const {
  size_t files = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (IsFileKind(steps.KindOf(i))) ++files;
  }
  return files;
}

int64_t Plan::bytes() const {
  int64_t bytes = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    bytes = AddUpToMax(bytes, steps.BytesOf(i));
  }
  return bytes;
}

int64_t Plan::bytes_to_write() const {
  int64_t bytes = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (IsDeletion(steps.KindOf(i))) continue;
    bytes = AddUpToMax(bytes, steps.BytesOf(i));
  }
  return bytes;
}

size_t Plan::countable_steps() const {
  size_t countable = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps.KindOf(i) != StepKind::kDeleteRest) ++countable;
  }
  return countable;
}

bool Plan::only_deletes() const {
  for (size_t i = 0; i < steps.size(); ++i) {
    if (!IsDeletion(steps.KindOf(i))) return false;
  }
  return true;
}

void PrintPlan(const Plan& plan, VerbOutput& output) {
  for (const Step& step : plan.steps) {
    JsonFields fields = StepFields(step);
    fields.insert(fields.begin(), {"step", StepEvent(step)});
    if (!output.Result(StepText(step) + "\n", "plan", fields)) return;
  }
  output.Result(Format("steps: {}, files: {}, bytes: {}; nothing was done\n",
                       plan.steps.size(), plan.files(), plan.bytes()),
                "planned",
                {{"steps", plan.steps.size()},
                 {"files", plan.files()},
                 {"bytes", plan.bytes()}});
}

}  // namespace fsload
