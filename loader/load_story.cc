#include "loader/load_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loader/death_reporter.h"
#include "loader/load_messages.h"
#include "loader/load_phase.h"
#include "loader/load_report_json.h"
#include "loader/supervisor.h"

namespace fsload {
namespace {

// Where a plugin is in its life.
struct Place {
  LoadPhase phase;
  std::string scheme;  // empty where the phase concerns all
};

Finding FindingAt(const Place& place, RuleId rule, std::string message) {
  return {rule, place.scheme, !place.scheme.empty(), std::move(message)};
}

class Story {
 public:
  explicit Story(std::string_view messages) {
    while (!messages.empty()) Take(TakeMessage(messages));
  }

  std::optional<LoadReport>& report() { return report_; }
  std::vector<std::string>& confinement() { return confinement_; }
  std::vector<Finding>& findings() { return findings_; }

  // None before the plugin's code was run.
  const std::optional<Place>& place() const { return place_; }

  Death death() const { return ReadDeath(death_, culprit_); }
  const std::string& threw() const { return threw_; }
  bool thread_ended() const { return thread_ended_; }

  // Whether exit handlers ran, and with which exit code; that may be the end
  // that was wanted.
  const std::optional<std::string>& exit() const { return exit_; }
  bool finished() const {
    return exit_ == std::to_string(kCodeReturned) && place_.has_value() &&
           place_->phase == LoadPhase::kExitHandlers;
  }

 private:
  void Take(const SharedMessage& message) {
    using namespace load_messages;
    const std::string rest(message.rest);
    if (message.word == kConfined) {
      confinement_.push_back(rest);
    } else if (message.word == kPhase) {
      TakePhase(message.rest);
    } else if (message.word == kReport) {
      report_ = ReportFromJson(rest);
    } else if (message.word == kThrew) {
      threw_ = rest;
    } else if (message.word == kThread) {
      thread_ended_ = true;
    } else if (message.word == kExit) {
      exit_ = rest;
    } else if (message.word == kDeathWord) {
      death_ = rest;
    } else if (message.word == kCulpritWord) {
      culprit_ = rest;
    } else {
      TakeChange(message);
    }
  }

  void TakePhase(std::string_view text) {
    if (text.size() < 2 || text[0] < '0' ||
        text[0] >= '0' + char{kLoadPhases}) {
      return;
    }
    place_ = {static_cast<LoadPhase>(text[0] - '0'),
              std::string(text.substr(2))};
  }

  // What the plugin did to its host.
  void TakeChange(const SharedMessage& message) {
    using namespace load_messages;
    if (!place_.has_value()) return;
    const std::string_view phase = Describe(place_->phase);
    if (message.word == kDescriptors) {
      findings_.push_back(FindingAt(
          *place_, RuleId::kKeepsDescriptors,
          fmt::format("wanted {} to leave the host's descriptors open, found "
                      "{} closed or replaced; the host would write to files "
                      "that it does not mean",
                      phase, message.rest)));
    } else if (message.word == kHandlers) {
      findings_.push_back(FindingAt(
          *place_, RuleId::kKeepsSignalHandlers,
          fmt::format("wanted {} to leave the host's signal handlers alone, "
                      "found others for {}; the host's are lost",
                      phase, message.rest)));
    } else if (message.word == kMemory) {
      findings_.push_back(
          FindingAt(*place_, RuleId::kTakesLittleMemory,
                    fmt::format("wanted {} to make do with {} MiB of address "
                                "space, found that they were used up; a host "
                                "would run out of memory",
                                phase, message.rest)));
    }
  }

  std::optional<LoadReport> report_;
  std::vector<std::string> confinement_;
  std::vector<Finding> findings_;
  std::optional<Place> place_;
  std::string death_;
  std::string culprit_;
  std::string threw_;
  bool thread_ended_ = false;
  std::optional<std::string> exit_;
};

std::string SignalText(const ChildOutcome& outcome, const Death& death) {
  std::string text =
      fmt::format("signal {} ({})", outcome.signal, strsignal(outcome.signal));
  if (!death.place.empty()) text += " " + death.place;
  return text;
}

// How the process ended in `place` before it was done; none when it was.
std::optional<Finding> Ending(const ChildOutcome& outcome, const Story& story,
                              const Place& place, absl::Duration deadline) {
  const std::string_view phase = Describe(place.phase);
  if (outcome.timed_out) {
    return FindingAt(
        place, RuleId::kComesToAnEnd,
        fmt::format("wanted {} to come to an end within {}, found it still "
                    "running, and killed it; a host would hang",
                    phase, absl::FormatDuration(deadline)));
  }
  const Death death = story.death();
  if (!outcome.exited && death.overflow) {
    return FindingAt(
        place, RuleId::kKeepsToItsStack,
        fmt::format("wanted the stack to suffice for {}, found that it "
                    "overflowed: {}; a host would die",
                    phase, SignalText(outcome, death)));
  }
  if (!outcome.exited) {
    return FindingAt(place, RuleId::kNoFatalSignal,
                     fmt::format("wanted {} to come to an end, found that it "
                                 "died of {}; a host would die",
                                 phase, SignalText(outcome, death)));
  }
  if (!story.threw().empty()) {
    return FindingAt(
        place, RuleId::kThrowsNothing,
        fmt::format("wanted {} to throw nothing, found {}; a host that "
                    "does not expect it would die",
                    phase, story.threw()));
  }
  if (story.thread_ended()) {
    return FindingAt(
        place, RuleId::kLeavesThreadRunning,
        fmt::format("wanted {} to return to the thread that called it, found "
                    "that it ended the thread; its caller would never go on",
                    phase));
  }
  if (story.finished() && outcome.exit_code == kCodeReturned) {
    return std::nullopt;
  }
  const std::string how =
      story.exit().has_value()
          ? fmt::format("by exit({})", outcome.exit_code)
          : fmt::format("with exit code {} and without exit handlers",
                        outcome.exit_code);
  return FindingAt(place, RuleId::kLeavesProcessRunning,
                   fmt::format("wanted {} to leave the process running, found "
                               "that it ended {}; a host would be gone",
                               phase, how));
}

std::optional<Finding> Strays(const ChildOutcome& outcome) {
  if (outcome.survivors > 0) {
    return Finding{RuleId::kLeavesNoProcesses, "", false,
                   "wanted no processes left behind, found some that could not "
                   "be killed; they are still there"};
  }
  if (outcome.strays == 0) return std::nullopt;
  return Finding{
      RuleId::kLeavesNoProcesses, "", false,
      fmt::format("wanted no processes left behind, found {}, and killed {}; "
                  "left alone, a process outlives its host",
                  outcome.strays, outcome.strays == 1 ? "it" : "them")};
}

std::optional<Finding> Output(const ChildOutcome& outcome) {
  if (!outcome.output_cut) return std::nullopt;
  return Finding{RuleId::kPrintsLittle, "", false,
                 fmt::format("wanted at most {} KiB of output, found more, and "
                             "cut it off; a host's log would drown in it",
                             outcome.output.size() >> 10)};
}

void Add(std::optional<Finding> finding, LoadReport& report) {
  if (!finding.has_value()) return;
  if (report.status.ok()) {
    report.status = absl::FailedPreconditionError(
        fmt::format("{}: {}", report.plugin, ToString(*finding)));
  }
  report.findings.push_back(*std::move(finding));
}

// No plugin's code has run, and yet there is no report.
absl::Status NothingTold(const ChildOutcome& outcome, absl::Duration deadline) {
  if (outcome.timed_out) {
    return absl::InternalError(fmt::format(
        "the deadline of {} passed before any of its code ran; give it more",
        absl::FormatDuration(deadline)));
  }
  return absl::InternalError(fmt::format(
      "the child process ended before it ran the plugin, with {} {}; this is "
      "a bug in fsload",
      outcome.exited ? "exit code" : "signal",
      outcome.exited ? outcome.exit_code : outcome.signal));
}

}  // namespace

ConfinedReport TellStory(const std::string& name, const ChildOutcome& outcome,
                         absl::Duration deadline) {
  Story story(outcome.messages);
  ConfinedReport confined;
  LoadReport& load = confined.load;
  load.plugin = name;
  if (story.report().has_value()) load = *std::move(story.report());
  confined.confinement = std::move(story.confinement());
  confined.output = outcome.output;
  confined.output_cut = outcome.output_cut;
  if (!story.place().has_value()) {
    load.status = NothingTold(outcome, deadline);
    return confined;
  }
  for (Finding& finding : story.findings()) Add(std::move(finding), load);
  Add(Ending(outcome, story, *story.place(), deadline), load);
  Add(Strays(outcome), load);
  Add(Output(outcome), load);
  return confined;
}

}  // namespace fsload
