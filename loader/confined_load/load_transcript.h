// The messages of a confined load, parsed as untrusted input: the plugin may
// have written to the shared memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fsload/load_phase.h"
#include "fsload/load_report.h"
#include "loader/rules/findings.h"
#include "loader/supervision/shared_messages.h"

namespace fsload {

// The point a plugin has reached in its life.
struct LoadPosition {
  LoadPhase phase;
  std::string scheme;  // empty if the phase concerns all
};

Finding FindingAt(const LoadPosition& position, RuleId rule,
                  std::string message);

// What LoadTranscript::Error says of a report that did not come, or came
// damaged.
inline constexpr std::string_view kNoReport = "there is no report";
inline constexpr std::string_view kUnreadableReport =
    "the report cannot be read";

// The parsed messages of one load. Immutable.
class LoadTranscript final {
 public:
  explicit LoadTranscript(std::string_view messages);

  // Returns the report; none if no readable one came.
  const std::optional<LoadReport>& report() const { return report_; }
  const std::vector<std::string>& confinement() const { return confinement_; }

  // Returns what the plugin did to its host.
  const std::vector<Finding>& findings() const { return findings_; }

  // Returns the last position; none if no code of the plugin ran.
  const std::optional<LoadPosition>& position() const { return position_; }

  const std::string& threw() const { return threw_; }  // "" if nothing
  bool thread_ended() const { return thread_ended_; }

  // Returns the scheme whose cleanup threw, or ended its thread.
  const std::optional<std::string>& cleanup_threw() const {
    return cleanup_threw_;
  }

  // Returns whether a process that the plugin started returned to the host's
  // code, and in which phase.
  const std::optional<LoadPosition>& forked() const { return forked_; }

  // Returns the exit code with which exit handlers ran; none if none ran.
  const std::optional<std::string>& exit() const { return exit_; }

  // Returns whether running the exit handlers, with this exit code, came last.
  bool FinishedWith(int exit_code) const;

  // Returns why the messages cannot be those of a load that ran to its end, in
  // words: a message that is invalid, missing or surplus; a report that
  // contradicts itself or the phases. "" if there is no reason. `loads` is
  // whether the plugin was to be loaded.
  std::string Error(bool loads) const;

 private:
  void Take(const SharedMessage& message);
  std::optional<LoadPosition> PositionOf(std::string_view text);
  void TakePhase(std::string_view text);
  bool TakeChange(const SharedMessage& message);
  bool TakeChangedState(std::string_view text);
  bool TakeOpened(std::string_view text);
  void TakeRefusal(const std::string& call);
  void AddError(std::string error);

  std::optional<LoadReport> report_;
  bool reported_ = false;  // one came, readable or not
  std::vector<std::string> confinement_;
  std::vector<Finding> findings_;
  std::optional<LoadPosition> position_;
  std::vector<std::string> cleaned_up_;  // schemes, after the report
  std::string threw_;
  bool thread_ended_ = false;
  std::optional<std::string> cleanup_threw_;
  std::optional<LoadPosition> forked_;
  std::optional<std::string> exit_;
  std::string error_;  // the first in the messages themselves
};

}  // namespace fsload
