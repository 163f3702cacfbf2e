#include "loader/confined_load/make_confined_report.h"

#include <algorithm>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "fsload/load_phase.h"
#include "loader/confined_load/load_transcript.h"
#include "loader/supervision/crash_reporter.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

Finding ThreadEnded(const LoadPosition& position) {
  return FindingAt(
      position, RuleId::kLeavesThreadRunning,
      Format(
          "{} ended the thread that called it; its caller would never continue",
          Describe(position.phase)));
}

std::string_view ConsequenceOf(LoadPhase phase) {
  switch (phase) {
    case LoadPhase::kFreeing:
      return "each piece must be a separate plugin_memory_allocate block that "
             "is not freed yet (FSP124)";
    case LoadPhase::kExitHandlers:
      return "this would kill the host as it exits; perhaps a handler that the "
             "plugin registered with atexit calls its cleanup, which the host "
             "has called before";
    default:
      return "this would kill the host";
  }
}

// Which rule a crash by a signal breaks, except for stack overflows.
Finding Died(const ChildOutcome& outcome, const Crash& crash,
             const LoadPosition& position) {
  const std::string how = SignalText(outcome.signal, crash);
  if (crash.kind == CrashKind::kJumpToArgument) {
    return FindingAt(
        position, RuleId::kEntryGeneration,
        Format(
            "TF_InitPlugin called its first argument as a function, as in the "
            "unreleased interface of January 2020, int TF_InitPlugin(void* "
            "(*)(size_t), TF_FilesystemPluginInfo**): {}; {}",
            how, kBuildAgainst));
  }
  if (crash.kind == CrashKind::kLinker && !crash.by_plugin &&
      position.phase == LoadPhase::kStaticInitializers) {
    return FindingAt(position, RuleId::kWellFormed,
                     Format("the dynamic linker crashed while it opened "
                            "the file, before any of its code ran: {}; "
                            "the file is damaged: copy or download it "
                            "again",
                            how));
  }
  std::string_view phase = Describe(position.phase);
  if (crash.kind == CrashKind::kJump) {
    return FindingAt(position, RuleId::kNoFatalSignal,
                     Format("{} called an address that is not code: {}; "
                            "this would kill the host",
                            phase, how));
  }
  if (position.phase == LoadPhase::kHooks) {
    return FindingAt(
        position, RuleId::kHooksWork,
        Format("{} crashed with {}; perhaps plugin_memory_allocate and "
               "plugin_memory_free are swapped",
               phase, how));
  }
  return FindingAt(position, RuleId::kNoFatalSignal,
                   Format("{} crashed with {}; {}", phase, how,
                          ConsequenceOf(position.phase)));
}

// How the process ended in `position` before it was done; none if it was done.
std::optional<Finding> Ending(const ChildOutcome& outcome,
                              const LoadTranscript& transcript,
                              const LoadPosition& position,
                              absl::Duration deadline) {
  const std::string_view phase = Describe(position.phase);
  if (outcome.memory_used_up > 0) {
    return FindingAt(
        position, RuleId::kTakesLittleMemory,
        Format("{} used more than {} MiB of memory, and was killed; a "
               "host would run out of memory",
               phase, outcome.memory_used_up >> 20));
  }
  if (outcome.timed_out) {
    return FindingAt(position, RuleId::kComesToAnEnd,
                     Format("{} did not return within {}, so its process "
                            "was killed; a host would hang",
                            phase, absl::FormatDuration(deadline)));
  }
  const Crash crash = ReadCrash(outcome.messages);
  if (!outcome.exited && transcript.cleanup_threw().has_value() &&
      outcome.signal == SIGABRT && position.phase == LoadPhase::kCleanup) {
    return ThreadEnded(position);
  }
  if (!outcome.exited && !crash.reported && outcome.signal == SIGSEGV) {
    return FindingAt(
        position, RuleId::kKeepsToItsStack,
        Format(
            "{} crashed with {}, with no stack left to report it: most likely "
            "a "
            "thread that it started overflowed its stack; give that thread a "
            "larger one, or bound its recursion",
            phase, SignalText(outcome.signal, crash)));
  }
  if (!outcome.exited && crash.kind == CrashKind::kOverflow) {
    return FindingAt(
        position, RuleId::kKeepsToItsStack,
        Format("{} overflowed the stack: {}; this would kill the host", phase,
               SignalText(outcome.signal, crash)));
  }
  if (!outcome.exited) return Died(outcome, crash, position);
  if (!transcript.threw().empty()) {
    return FindingAt(
        position, RuleId::kThrowsNothing,
        Format("{} threw {}; this would kill a host that does not catch it",
               phase, transcript.threw()));
  }
  if (transcript.thread_ended()) {
    return ThreadEnded(position);
  }
  if (outcome.exit_code == outcome.code_of_return) return std::nullopt;
  return FindingAt(position, RuleId::kLeavesProcessRunning,
                   Format("{} called {}({}); this would end the host", phase,
                          transcript.exit().has_value() ? "exit" : "_exit",
                          outcome.exit_code));
}

// A cleanup that threw while its thread went on.
std::optional<Finding> CleanupThrew(const LoadTranscript& transcript) {
  if (!transcript.cleanup_threw().has_value()) return std::nullopt;
  const std::string& scheme = *transcript.cleanup_threw();
  return Finding{RuleId::kCleanupThrowsNothing, scheme, !scheme.empty(),
                 "cleanup threw an exception; other hosts, including "
                 "TensorFlow, would terminate"};
}

std::optional<Finding> Strays(const ChildOutcome& outcome,
                              const std::optional<LoadPosition>& forked) {
  if (forked.has_value() && outcome.survivors == 0) {
    return FindingAt(
        *forked, RuleId::kLeavesNoProcesses,
        Format("{} forked, and the child process returned to the host "
               "too; end the child with _exit",
               Describe(forked->phase)));
  }
  if (outcome.survivors > 0) {
    return Finding{RuleId::kLeavesNoProcesses, "", false,
                   "the plugin left processes behind that could not be killed; "
                   "they are still running"};
  }
  if (outcome.strays == 0) return std::nullopt;
  return Finding{
      RuleId::kLeavesNoProcesses, "", false,
      Format(
          "the plugin left {} running, which the check killed; {} would have "
          "outlived a host",
          outcome.strays == 1 ? "1 process"
                              : Format("{} processes", outcome.strays),
          outcome.strays == 1 ? "it" : "they")};
}

std::optional<Finding> Output(const ChildOutcome& outcome) {
  if (!outcome.output_cut) return std::nullopt;
  return Finding{RuleId::kPrintsLittle, "", false,
                 Format("the plugin printed more than {} KiB, and the rest "
                        "was cut off; it would flood a host's log",
                        outcome.output.size() >> 10)};
}

// Why the messages of a load that ran to its end cannot be believed: anything
// else must not pass for a success.
std::optional<Finding> Damage(const LoadTranscript& transcript,
                              const ChildOutcome& outcome, ConfinedWork work) {
  std::string error = transcript.Error(work == ConfinedWork::kLoad);
  if (error.empty() && !transcript.FinishedWith(outcome.code_of_return)) {
    error = "the end of the process was not recorded";
  }
  if (error.empty()) return std::nullopt;
  const std::string what = error == kNoReport ? "is missing"
                           : error == kUnreadableReport
                               ? "cannot be read"
                               : "is corrupt: " + error;
  return Finding{
      RuleId::kReportArrives, "", false,
      Format("the report on the plugin {}; something in the plugin's "
             "process overwrites memory that it does not own; run it "
             "under AddressSanitizer",
             what)};
}

// The file is read and checked before any of its code runs.
std::optional<Finding> TooLong(absl::Duration deadline) {
  return Finding{
      RuleId::kWithinLimits, "", false,
      Format("reading and checking the file took longer than the deadline "
             "of {}, before any of its code ran; is it a plugin? Give it "
             "more time with `fsload check --timeout`, or with "
             "FSLOAD_DISCOVERY_TIMEOUT where plugins are looked for",
             absl::FormatDuration(deadline))};
}

void Add(std::optional<Finding> finding, LoadReport& report) {
  if (!finding.has_value()) return;
  if (report.status.ok() &&
      Describe(finding->rule).severity == Severity::kMust) {
    report.status = RefusalOf(report.plugin, *finding);
  }
  report.findings.push_back(*std::move(finding));
}

// Whether the load itself found the same: it may have needed a descriptor.
bool IsToldOf(const Finding& finding, const LoadReport& report) {
  return finding.rule == RuleId::kLeavesDescriptors &&
         std::any_of(
             report.findings.begin(), report.findings.end(),
             [&](const Finding& other) { return other.rule == finding.rule; });
}

// No plugin code has run, but there is no report.
absl::Status NothingTold(const ChildOutcome& outcome) {
  return InternalError(
      "the child process ended before it ran the plugin, with {} {}; this is "
      "a bug in fsload",
      outcome.exited ? "exit code" : "signal",
      outcome.exited ? outcome.exit_code : outcome.signal);
}

}  // namespace

ConfinedReport MakeConfinedReport(const std::string& name,
                                  const ChildOutcome& outcome,
                                  absl::Duration deadline, ConfinedWork work) {
  const LoadTranscript transcript(outcome.messages);
  ConfinedReport confined;
  LoadReport& load = confined.load;
  load = transcript.report().value_or(LoadReport());
  load.plugin = name;  // unchanged: what the child sent is UTF-8
  confined.confinement = transcript.confinement();
  confined.output = outcome.output;
  confined.output_cut = outcome.output_cut;
  if (!transcript.position().has_value()) {
    if (outcome.begun) {
      Add(Damage(transcript, outcome, work), load);
      Add(Strays(outcome, transcript.forked()), load);
    } else if (outcome.timed_out) {
      Add(TooLong(deadline), load);
    } else {
      load.status = NothingTold(outcome);
    }
    return confined;
  }
  for (const Finding& finding : transcript.findings()) {
    if (!IsToldOf(finding, load)) Add(finding, load);
  }
  if (std::optional<Finding> ending =
          Ending(outcome, transcript, *transcript.position(), deadline)) {
    Add(std::move(ending), load);
  } else {
    Add(CleanupThrew(transcript), load);
    Add(Damage(transcript, outcome, work), load);
  }
  Add(Strays(outcome, transcript.forked()), load);
  Add(Output(outcome), load);
  return confined;
}

}  // namespace fsload
