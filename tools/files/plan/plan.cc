#include "tools/files/plan/plan.h"

#include <fmt/format.h>

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
  for (size_t i = 0; i < steps.size(); ++i) bytes += steps.BytesOf(i);
  return bytes;
}

void PrintPlan(const Plan& plan, VerbOutput& output) {
  for (const Step& step : plan.steps) {
    JsonFields fields = StepFields(step);
    fields.insert(fields.begin(), {"step", StepEvent(step)});
    if (!output.Result(StepText(step) + "\n", "plan", fields)) return;
  }
  output.Result(
      fmt::format("steps: {}, files: {}, bytes: {}; nothing was done\n",
                  plan.steps.size(), plan.files(), plan.bytes()),
      "planned",
      {{"steps", plan.steps.size()},
       {"files", plan.files()},
       {"bytes", plan.bytes()}});
}

}  // namespace fsload
