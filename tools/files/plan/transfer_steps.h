// The steps of cp and mv, and what stays where it is.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/plan/plan.h"
#include "tools/files/plan/steps_onto_sources.h"
#include "tools/files/plan/target_keys.h"
#include "tools/files/plan/transfer_plan.h"
#include "tools/files/plan/transfer_target.h"

namespace fsload {

// Collects the steps of all sources of a request. Functions that may report an
// error return whether to go on. One thread at a time, but target() is
// thread-safe.
class TransferSteps final {
 public:
  using Origin = StepList::Origin;

  // Uses `request`, which must outlive it.
  explicit TransferSteps(const TransferRequest& request);
  TransferSteps(const TransferSteps&) = delete;
  TransferSteps& operator=(const TransferSteps&) = delete;

  const TransferRequest& request() const { return request_; }
  const TransferTarget& target() const { return target_; }
  StepList& list() { return steps_; }
  OtherSources& others() { return others_; }

  // Returns whether this shard has the next file: they are numbered as they
  // come.
  bool HasNextFile() { return request_.shard.Has(number_++); }

  void Skip() { ++skipped_; }

  bool ReportError(const Location& location, const absl::Status& status) const {
    return request_.report_error(location.uri, status);
  }

  // Reports why something of `folder`, in a source, is not transferred: it
  // stays, and so do all its ancestors.
  bool ReportRest(const Location& location, const absl::Status& status,
                  std::string folder);

  // Returns whether something of the directory `uri`, in a source, stays.
  bool IsKept(const std::string& uri) const { return kept_.count(uri) > 0; }

  // Returns OK if the directory `source` may be brought to `target`.
  absl::Status CheckDirectory(const Location& source, const Location& target,
                              const PathState& there) const;

  // Adds the step for a file, of a tree unless it has no `origin`.
  bool AddFile(const Location& source, const Location& target,
               const FileStatistics& found, const PathState& there,
               std::optional<Origin> origin = std::nullopt);

  // Adds the step that makes a directory, unless there is one already.
  void AddDirectory(const Location& target, Origin origin);

  // Adds the step that renames a directory with its contents.
  void AddRename(Step step);

  // Returns whether the plan puts a file or a directory at `location`.
  bool HasTarget(const Location& location) const;
  bool HasFileAt(const Location& location) const;

  // Returns the plan, once all steps are added. None if the caller stopped
  // after an error.
  std::optional<Plan> TakePlan();

 private:
  // Removes, and reports, the steps that would overwrite the source of another.
  bool TakeOutStepsOntoSources();

  // Does the same for a file, which no other file may replace.
  bool ReportWhatStays(const Location& source, const absl::Status& status);

  const TransferRequest& request_;
  const TransferTarget target_;
  size_t number_ = 0;  // of the next file
  size_t skipped_ = 0;
  StepList steps_;
  std::optional<TargetKeys> targets_;  // until all sources are added
  std::set<std::string> renamed_;      // targets of directories, as KeyOf
  std::set<std::string> kept_;         // URIs of directories of sources
  OtherSources others_;
};

}  // namespace fsload
