// What the target of cp and mv means for each source, and what keeps a source
// from being put there.
#ifndef FSLOAD_TOOLS_FILES_PLAN_TRANSFER_TARGET_H_
#define FSLOAD_TOOLS_FILES_PLAN_TRANSFER_TARGET_H_

#include "absl/status/status.h"
#include "tools/files/plan/places.h"
#include "tools/files/plan/plan.h"
#include "tools/files/plan/transfer_plan.h"

namespace fsload {

// Looks at the target of a request once; changes nothing. Thread-safe.
class TransferTarget final {
 public:
  // The request outlives it.
  explicit TransferTarget(const TransferRequest& request);

  // OK where it can take as many sources as the user named.
  absl::Status Check() const;

  // What is at the target itself.
  const Look& look() const { return look_; }

  // What is at `place`, the target or below it. Where what is there stays, it
  // may be anything.
  Look LookAt(const Place& place) const;

  // Where `source` is put: at the target, or inside of it.
  Place PlaceOf(const Place& source, bool is_directory) const;

  // Whether `source` and the target are both on this machine's disks.
  bool IsLocalWith(const Place& source) const;

  // What is at `source`. What is moved between this machine's disks may be
  // anything.
  Look LookAtSource(const Place& source) const;

  // OK unless `place`, where the directory `source` is to be put, is a link.
  // One to a directory that is there already would make one target of two
  // directories, but the user may name one; one that leads nowhere is in the
  // way.
  absl::Status CheckNoLink(const Place& source, const Place& place,
                           const Look& there) const;

  // OK when the step of this kind can bring the file `source` to `place`;
  // `exists` is whether a file is there.
  absl::Status CheckStep(StepKind kind, const Place& source, const Place& place,
                         bool exists) const;

 private:
  const TransferRequest& request_;
  Place place_;
  const Look look_;
};

// OK when the file `source` may be put at `target`, as far as what was found at
// both tells.
absl::Status CheckFile(const Place& source, const Look& found,
                       const Place& target, const Look& there);

// What is said of two sources that would be put at `target`.
absl::Status TwoSources(const Place& source, const Place& target);

// What is said of a file that would be put where a directory is.
absl::Status DirectoryInTheWay(const Place& source, const Place& target);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_TRANSFER_TARGET_H_
