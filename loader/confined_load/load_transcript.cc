#include "loader/confined_load/load_transcript.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "loader/confined_load/host_state.h"
#include "loader/confined_load/load_messages.h"
#include "loader/confinement/syscall_broker.h"
#include "loader/report/load_report_json.h"
#include "loader/report/report_consistency.h"
#include "loader/supervision/crash_reporter.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// A load of the maximum number of schemes has two phases for each and a few
// others, and at most three messages per phase.
constexpr size_t kMaxMessages = 4096;

// For all but the report.
constexpr size_t kMaxLineBytes = 4096;

constexpr size_t kMaxConfinementLines = 64;

// The rule whose number `text` begins with, and the text after it.
std::pair<RuleId, std::string_view> TakeRule(std::string_view text) {
  const size_t end = std::min(text.find(' '), text.size());
  int number = 0;
  std::from_chars(text.data(), text.data() + end, number);
  return {static_cast<RuleId>(number),
          text.substr(std::min(end + 1, text.size()))};
}

}  // namespace

Finding FindingAt(const LoadPosition& position, RuleId rule,
                  std::string message) {
  return {rule, position.scheme, !position.scheme.empty(), std::move(message)};
}

LoadTranscript::LoadTranscript(std::string_view messages) {
  if (!messages.empty() && messages.back() != '\n') {
    AddError("the last message is incomplete");
  }
  for (size_t count = 0; !messages.empty(); ++count) {
    if (count == kMaxMessages) {
      AddError(Format("there are more than {} messages", kMaxMessages));
      return;
    }
    Take(TakeMessage(messages));
  }
}

bool LoadTranscript::FinishedWith(int exit_code) const {
  return exit_ == std::to_string(exit_code) && position_.has_value() &&
         position_->phase == LoadPhase::kExitHandlers;
}

void LoadTranscript::AddError(std::string error) {
  if (error_.empty()) error_ = std::move(error);
}

void LoadTranscript::Take(const SharedMessage& message) {
  using namespace load_messages;
  if (message.word == kReport) {
    if (reported_) return AddError("there is a second report");
    reported_ = true;
    report_ = ReportFromJson(message.rest);
    if (!report_.has_value()) AddError(std::string(kUnreadableReport));
    return;
  }
  if (message.rest.size() > kMaxLineBytes) {
    return AddError(Format("a message has more than {} bytes", kMaxLineBytes));
  }
  const std::string rest(message.rest);
  if (message.word == kConfined) {
    if (position_.has_value() || confinement_.size() == kMaxConfinementLines) {
      return AddError("the confinement is reported too late or more than once");
    }
    confinement_.push_back(rest);
  } else if (message.word == kPhase) {
    TakePhase(message.rest);
  } else if (message.word == kThrew) {
    threw_ = rest.empty() ? "something" : rest;
  } else if (message.word == kThread) {
    thread_ended_ = true;
  } else if (message.word == kCleanup && position_.has_value()) {
    cleanup_threw_ = rest;
  } else if (message.word == kForked) {
    forked_ = PositionOf(message.rest);
  } else if (message.word == kExit) {
    if (exit_.has_value()) AddError("the process ended twice");
    exit_ = rest;
  } else if (message.word == kRefusedWord) {
    TakeRefusal(rest);
  } else if (message.word != kCrashWord && message.word != kCulpritWord &&
             message.word != kDyingThreadWord && !TakeChange(message)) {
    AddError("a message is of an unknown kind");
  }
}

// The position that a message names.
std::optional<LoadPosition> LoadTranscript::PositionOf(std::string_view text) {
  if (text.size() < 2 || text[0] < '0' || text[0] >= '0' + char{kLoadPhases}) {
    AddError("a phase is unknown");
    return std::nullopt;
  }
  return LoadPosition{static_cast<LoadPhase>(text[0] - '0'),
                      std::string(text.substr(2))};
}

void LoadTranscript::TakePhase(std::string_view text) {
  std::optional<LoadPosition> position = PositionOf(text);
  if (!position.has_value()) return;
  position_ = std::move(position);
  if (reported_ && position_->phase == LoadPhase::kCleanup) {
    cleaned_up_.push_back(position_->scheme);
  }
}

// False if it is not such a message.
bool LoadTranscript::TakeChange(const SharedMessage& message) {
  using namespace load_messages;
  if (!position_.has_value()) return false;
  const std::string_view phase = Describe(position_->phase);
  if (message.word == kDescriptors) {
    findings_.push_back(
        FindingAt(*position_, RuleId::kKeepsDescriptors,
                  Format("{} closed or replaced the host's file descriptors "
                         "{}; the host would write to the wrong files",
                         phase, message.rest)));
  } else if (message.word == kHandlers) {
    findings_.push_back(FindingAt(
        *position_, RuleId::kKeepsSignalHandlers,
        Format("{} replaced the host's signal handlers for {}; they are lost",
               phase, message.rest)));
  } else if (message.word == kMemory) {
    findings_.push_back(
        FindingAt(*position_, RuleId::kTakesLittleMemory,
                  Format("{} used up {} MiB of address space; a host "
                         "would run out of memory",
                         phase, message.rest)));
  } else if (message.word == kExhausted) {
    findings_.push_back(
        FindingAt(*position_, RuleId::kLeavesDescriptors,
                  Format("{} used up all {} file descriptors of the "
                         "process; the host could open no files",
                         phase, message.rest)));
  } else if (message.word == kOpened) {
    return TakeOpened(message.rest);
  } else if (message.word == kChanged) {
    return TakeChangedState(message.rest);
  } else {
    return false;
  }
  return true;
}

// "214 /a before, /b after".
bool LoadTranscript::TakeChangedState(std::string_view text) {
  const auto [rule, what] = TakeRule(text);
  const HostStatePart* const part = PartOf(rule);
  if (part == nullptr) return false;
  findings_.push_back(
      FindingAt(*position_, part->rule,
                Format("{} changed {}: {}; {}", Describe(position_->phase),
                       part->name, what, part->effect)));
  return true;
}

// "30 '/a/lib.so': everybody may write to it".
bool LoadTranscript::TakeOpened(std::string_view text) {
  const auto [rule, what] = TakeRule(text);
  constexpr RuleId kRules[] = {RuleId::kFileNotWorldWritable,
                               RuleId::kFolderNotWorldWritable,
                               RuleId::kAllowed, RuleId::kAllowListReadable};
  if (std::find(std::begin(kRules), std::end(kRules), rule) ==
      std::end(kRules)) {
    return false;
  }
  findings_.push_back(Finding{rule, "", false, std::string(what)});
  return true;
}

// For a call that the supervisor refused.
void LoadTranscript::TakeRefusal(const std::string& call) {
  if (!position_.has_value()) return;
  if (call == kMoreCallsRefused) {
    findings_.push_back(
        FindingAt(*position_, RuleId::kNeedsNoRefusedCalls,
                  Format("{} made more than {} kinds of call that a check "
                         "refuses but a host allows; the first {} are "
                         "listed",
                         Describe(position_->phase), kMaxCallsReported,
                         kMaxCallsReported)));
    return;
  }
  // What --network allows; "socket(AF_INET" stands for AF_INET6 too.
  constexpr std::string_view kNetworkCalls[] = {"socket(AF_INET",
                                                "socket(AF_NETLINK",
                                                "connect",
                                                "bind",
                                                "listen",
                                                "accept",
                                                "send"};
  const bool network =
      std::any_of(std::begin(kNetworkCalls), std::end(kNetworkCalls),
                  [&](std::string_view name) {
                    return call.compare(0, name.size(), name) == 0;
                  });
  findings_.push_back(FindingAt(
      *position_, RuleId::kNeedsNoRefusedCalls,
      Format("{} called {}, which a check refuses but a host allows; {}",
             Describe(position_->phase), call,
             network ? "`fsload check --network` allows internet sockets"
                     : "`fsload check --no-isolation` allows every call")));
}

std::string LoadTranscript::Error(bool loads) const {
  if (!error_.empty()) return error_;
  if (!report_.has_value()) return std::string(kNoReport);
  for (const SchemeReport& scheme : report_->schemes) {
    const auto cleanups =
        std::count(cleaned_up_.begin(), cleaned_up_.end(), scheme.scheme);
    if (scheme.registered && cleanups != 1) {
      return Format("the scheme '{}' is registered and was not cleaned up",
                    scheme.scheme);
    }
  }
  return Contradiction(*report_, loads);
}

}  // namespace fsload
