#include "tools/files/run/verb_runner.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "tools/files/run/reachability.h"
#include "tools/files/run/verb_child.h"
#include "tools/files/state/interruption.h"
#include "tools/session/session.h"

namespace fsload {
namespace {

void SumUp(const VerbOptions& options, VerbOutput& output) {
  const size_t failures = output.failures();
  if (!options.continue_on_error || failures == 0) return;
  output.Note(
      fmt::format("fsload: {} error{}\n", failures, failures == 1 ? "" : "s"),
      "summary", {{"failures", failures}});
}

int RunHere(const VerbOptions& options, const Verb& verb, VerbOutput& output,
            OpObserver* observer) {
  CatchInterruptions();
  std::vector<OpObserver*> observers;
  if (options.calls != nullptr) observers.push_back(options.calls.get());
  if (observer != nullptr) observers.push_back(observer);
  OpObserverList all(observers);
  output.SetExplainer(&WithReachability);
  {
    Session session({}, observers.empty() ? nullptr : &all, !options.quiet);
    VerbRun run(session, options, output);
    verb(run);
  }
  SumUp(options, output);
  return output.exit_code();
}

}  // namespace

int RunVerb(const VerbDescription& description, const VerbOptions& options,
            const Verb& verb) {
  VerbOutput output(description.name, options.json);
  if (options.in_process) {
    return RunHere(options, verb, output, nullptr);
  }
  const absl::Duration op_deadline =
      options.op_deadline_seconds > 0
          ? absl::Seconds(options.op_deadline_seconds)
          : absl::InfiniteDuration();
  const VerbEnd end = RunInChild(
      [&](OpObserver& observer) {
        return RunHere(options, verb, output, &observer);
      },
      op_deadline, description.atomic != nullptr);
  if (end.exit_code.has_value()) return *end.exit_code;
  output.Fail(end.uri, end.status);
  for (const std::string& undone : end.left_undone) {
    output.Note("fsload: left unfinished: " + undone + "\n", "left_undone",
                {{"what", undone}});
  }
  return absl::IsInternal(end.status) ? kCrashed : output.exit_code();
}

}  // namespace fsload
