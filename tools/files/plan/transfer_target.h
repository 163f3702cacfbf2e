// What the target of cp and mv means for each source, and why a source cannot
// be put there.
#pragma once

#include "absl/status/status.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/plan/plan.h"
#include "tools/files/plan/transfer_plan.h"

namespace fsload {

// Looks up the target of a request once; changes nothing. Thread-safe.
class TransferTarget final {
 public:
  // Uses `request`, which must outlive it.
  explicit TransferTarget(const TransferRequest& request);

  // Returns OK if it can take as many sources as the user named.
  absl::Status Check() const;

  // Returns what is at the target itself.
  const PathState& state() const { return state_; }

  // Returns what is at `location`, the target or below it. If existing files
  // stay, it may be of any kind.
  PathState GetPathState(const Location& location) const;

  // Returns where `source` goes: to the target itself, or into it.
  Location LocationOf(const Location& source, bool is_directory) const;

  // Returns whether `source` and the target are both on local disks.
  bool IsLocalWith(const Location& source) const;

  // Returns what is at `source`. What is moved between local disks may be of
  // any kind.
  PathState GetSourceState(const Location& source) const;

  // Returns OK unless `location`, the target of the directory `source`, is a
  // symlink. A symlink to an existing directory would make one target of two
  // directories, though the user may name one; a dangling one is in the way.
  absl::Status CheckNoLink(const Location& source, const Location& location,
                           const PathState& there) const;

  // Returns OK if a step of this kind can bring the file `source` to
  // `location`; `exists` is whether a file is there.
  absl::Status CheckStep(StepKind kind, const Location& source,
                         const Location& location, bool exists) const;

 private:
  const TransferRequest& request_;
  Location location_;
  const PathState state_;
};

// Returns OK if the file `source` may be put at `target`, judging by what was
// found at both.
absl::Status CheckFile(const Location& source, const PathState& found,
                       const Location& target, const PathState& there);

// Returns the error for two sources with the same target.
absl::Status TwoSources(const Location& source, const Location& target);

// Returns the error for a file whose target is a directory.
absl::Status DirectoryInTheWay(const Location& source, const Location& target);

}  // namespace fsload
