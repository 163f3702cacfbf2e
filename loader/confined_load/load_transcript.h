// The messages of a confined load, read as one reads a hostile file: the plugin
// may have written to the memory that they are in.
#ifndef FSLOAD_LOADER_CONFINED_LOAD_LOAD_TRANSCRIPT_H_
#define FSLOAD_LOADER_CONFINED_LOAD_LOAD_TRANSCRIPT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fsload/load_phase.h"
#include "fsload/load_report.h"
#include "loader/rules/findings.h"
#include "loader/supervision/shared_messages.h"

namespace fsload {

// Where a plugin is in its life.
struct LoadPlace {
  LoadPhase phase;
  std::string scheme;  // empty where the phase concerns all
};

Finding FindingAt(const LoadPlace& place, RuleId rule, std::string message);

// What the messages of one load say. Immutable.
class LoadTranscript final {
 public:
  explicit LoadTranscript(std::string_view messages);

  // None where none came that can be read.
  const std::optional<LoadReport>& report() const { return report_; }
  const std::vector<std::string>& confinement() const { return confinement_; }

  // What the plugin did to its host.
  const std::vector<Finding>& findings() const { return findings_; }

  // The last one; none before the plugin's code was run.
  const std::optional<LoadPlace>& place() const { return place_; }

  // What stands behind the words of loader/supervision/death_reporter.h, "" for
  // nothing.
  const std::string& death() const { return death_; }
  const std::string& culprit() const { return culprit_; }

  const std::string& threw() const { return threw_; }  // "" for nothing
  bool thread_ended() const { return thread_ended_; }

  // The scheme whose cleanup threw, or ended its thread.
  const std::optional<std::string>& cleanup_threw() const {
    return cleanup_threw_;
  }

  // Whether a process that the plugin started returned to the host's code, and
  // from which phase.
  const std::optional<LoadPlace>& forked() const { return forked_; }

  // The exit code with which exit handlers ran; none where none did.
  const std::optional<std::string>& exit() const { return exit_; }

  // Whether exit handlers ran last, and with this exit code.
  bool FinishedWith(int exit_code) const;

  // What keeps the messages from being the whole story of a load that came to
  // its end, in words: a message that is none, or that is missing or too much;
  // a report that contradicts itself, or the phases. "" where nothing does.
  // `loads` is whether the plugin was to be loaded.
  std::string Flaw(bool loads) const;

 private:
  void Take(const SharedMessage& message);
  std::optional<LoadPlace> PlaceOf(std::string_view text);
  void TakeFork(std::string_view text);
  void TakePhase(std::string_view text);
  bool TakeChange(const SharedMessage& message);
  bool TakeChangedState(std::string_view text);
  bool TakeOpened(std::string_view text);
  void TakeRefusal(const std::string& call);
  void AddFlaw(std::string flaw);
  bool CleanedUp(std::string_view scheme) const;

  std::optional<LoadReport> report_;
  bool reported_ = false;  // a message said that it is one
  std::vector<std::string> confinement_;
  std::vector<Finding> findings_;
  std::optional<LoadPlace> place_;
  std::vector<std::string> cleaned_up_;  // schemes, after the report
  std::string death_;
  std::string culprit_;
  std::string threw_;
  bool thread_ended_ = false;
  std::optional<std::string> cleanup_threw_;
  std::optional<LoadPlace> forked_;
  std::optional<std::string> exit_;
  std::string flaw_;  // the first in the messages themselves
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_CONFINED_LOAD_LOAD_TRANSCRIPT_H_
