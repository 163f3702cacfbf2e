#include "tools/files/run/verb_runner.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/paths/uri.h"
#include "fsload/recorder.h"
#include "fsload/replay.h"
#include "loader/aliases/scheme_alias.h"
#include "third_party/fmt/format.h"
#include "tools/files/run/retries.h"
#include "tools/files/run/verb_child.h"
#include "tools/network/foreign_variables.h"
#include "tools/session/interruption.h"
#include "tools/session/running_ops.h"
#include "tools/session/session.h"
#include "tools/text/output.h"
#include "tools/text/visible_text.h"

namespace fsload {
namespace {

void SumUp(const VerbOptions& options, VerbOutput& output) {
  const size_t failures = output.failures();
  if (!options.continue_on_error || failures == 0) return;
  output.Note(
      Format("fsload: {} error{}\n", failures, failures == 1 ? "" : "s"),
      "summary", {{"failures", failures}});
}

// Null if no call is to be repeated.
Session::Wrap RetriesFor(const VerbOptions& options) {
  if (options.retries == 0) return nullptr;
  // Nothing needs to be waited for in a replay.
  const Waits waits = options.replay.empty() ? Waits::kYes : Waits::kNo;
  return [retries = options.retries, waits,
          calls = options.calls](FileSystemPtr file_system) {
    return WithRetries(std::move(file_system), retries, waits, calls);
  };
}

// Null if nothing is to be recorded.
absl::StatusOr<std::shared_ptr<Recorder>> RecorderFor(
    const VerbOptions& options) {
  if (options.record.empty()) return nullptr;
  return Recorder::Create(options.record);
}

// Has `session` answer from a journal if it is to.
absl::Status StartReplay(const VerbOptions& options, Session& session) {
  if (options.replay.empty()) return absl::OkStatus();
  absl::StatusOr<Journal> journal = Journal::Read(options.replay);
  if (!journal.ok()) return journal.status();
  if (!journal->incomplete().empty() && !options.quiet) {
    PrintWarning(Format("{}: the journal is incomplete: {}", options.replay,
                        journal->incomplete()));
  }
  const absl::Status status = session.Replay(*std::move(journal));
  if (status.ok()) return status;
  return Prepend(options.replay, status);
}

absl::Duration CallTimeout(const VerbOptions& options) {
  return options.op_timeout_seconds > 0
             ? absl::Seconds(options.op_timeout_seconds)
             : absl::InfiniteDuration();
}

// A tree may have files at which a plugin crashes, among many others.
constexpr int kVerbRestarts = 30;

bool IsIsolated(const VerbOptions& options) {
  return options.isolate || options.confined;
}

Isolation IsolationFor(const VerbOptions& options) {
  Isolation isolation;
  isolation.restarts = kVerbRestarts;
  isolation.call_timeout = CallTimeout(options);
  isolation.confined = options.confined;
  // Where s3 and az have files of what they upload, whatever TMPDIR says.
  if (options.confined) isolation.writable_folders = {"/tmp"};
  return isolation;
}

// A plugin in a process of its own is ended first: an operation may wait for
// one of the worker's calls to end, make its own, and do both once more for the
// contents of a memory region.
OpDeadline DeadlineFor(const VerbOptions& options) {
  constexpr absl::Duration kLater = absl::Seconds(10);
  const absl::Duration limit = CallTimeout(options);
  const absl::Duration later = 4 * limit + kLater;
  if (IsIsolated(options)) return [later](const RunningOp&) { return later; };
  if (!options.plugin.empty()) {
    return [limit](const RunningOp&) { return limit; };
  }
  return [limit, later](const RunningOp& op) {
    // The file of schemes is read when that matters: its disk may hang.
    const std::string_view scheme = ParseUri(op.uri).scheme;
    if (op.running <= limit || scheme.empty()) return limit;
    const auto alias = FindAlias(scheme);
    return alias.ok() && alias->has_value() ? later : limit;
  };
}

int RunHere(const VerbOptions& options, const Verb& verb, VerbOutput& output,
            OpObserver* observer) {
  SendOthersToStandardError();
  CatchInterruptions();
  std::vector<OpObserver*> observers;
  if (options.calls != nullptr) observers.push_back(options.calls.get());
  if (observer != nullptr) observers.push_back(observer);
  OpObserverList all(observers);
  const absl::StatusOr<std::shared_ptr<Recorder>> recorder =
      RecorderFor(options);
  absl::Status ready = recorder.status();
  {
    Session session({}, observers.empty() ? nullptr : &all, !options.quiet);
    if (ready.ok() && *recorder != nullptr) session.Record(*recorder);
    session.WrapWith(RetriesFor(options));
    if (IsIsolated(options)) session.Isolate(IsolationFor(options));
    session.LimitAliases(CallTimeout(options), kVerbRestarts);
    if (ready.ok()) ready = StartReplay(options, session);
    if (ready.ok()) {
      VerbRun run(session, options, output);
      verb(run);
    }
  }
  if (!ready.ok()) output.Fail("", CannotAsk(ready));
  if (ready.ok() && *recorder != nullptr && !(*recorder)->status().ok()) {
    output.Fail(options.record, (*recorder)->status());
  }
  SumUp(options, output);
  return output.exit_code();
}

}  // namespace

int RunVerb(const VerbDescription& description, const VerbOptions& options,
            const Verb& verb) {
  HandOnForeignVariables();
  VerbOutput output(description.name, options.json);
  if (options.in_process) {
    return RunHere(options, verb, output, nullptr);
  }
  output.ShareFailures();
  const VerbEnd end = RunInChild(
      [&](OpObserver& observer) {
        return RunHere(options, verb, output, &observer);
      },
      DeadlineFor(options), description.atomic != nullptr);
  if (end.exit_code.has_value()) return *end.exit_code;
  output.Fail(end.uri, end.status);
  for (const std::string& undone : end.left_undone) {
    output.Note("fsload: left unfinished: " + Visible(undone) + "\n",
                "left_undone", {{"what", undone}});
  }
  SumUp(options, output);
  return absl::IsInternal(end.status) ? kCrashed : output.exit_code();
}

}  // namespace fsload
