// The owner, mode and ACL of a file that its plugin will replace with a new
// one.
#pragma once

#include <optional>

#include "absl/status/status.h"
#include "tools/files/locations/local_contents.h"
#include "tools/files/plan/plan.h"

namespace fsload {

// Immutable.
class ReplacedMode final {
 public:
  // Reads those of the file at `target`, if it is local.
  explicit ReplacedMode(const Location& target);

  // Creates the new file at `location`, where none is, for its user alone: the
  // plugin that is to write it would let others read it until it is complete.
  // Does nothing if there was no file, or if it cannot.
  void CreateAt(const Location& location) const;

  // Gives them to the new file at `location`, beside the target or in its
  // place; OK if there was no file.
  absl::Status GiveTo(const Location& location) const;

 private:
  std::optional<FileRights> replaced_;
  int error_ = 0;  // from reading them
};

}  // namespace fsload
