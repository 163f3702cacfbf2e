// The owner, the mode and the list of access rights of a file that is going to
// be replaced, where its plugin writes a new one.
#ifndef FSLOAD_TOOLS_FILES_TRANSFER_REPLACED_MODE_H_
#define FSLOAD_TOOLS_FILES_TRANSFER_REPLACED_MODE_H_

#include <optional>

#include "absl/status/status.h"
#include "tools/files/local/local_contents.h"
#include "tools/files/plan/plan.h"

namespace fsload {

// Immutable.
class ReplacedMode final {
 public:
  // Of the file that is at `target`, if it is one of this machine.
  explicit ReplacedMode(const Place& target);

  // Gives them to the new file at `place`, beside the target or in its place;
  // OK where there was none.
  absl::Status GiveTo(const Place& place) const;

 private:
  std::optional<FileRights> replaced_;
  int error_ = 0;  // of looking for them
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TRANSFER_REPLACED_MODE_H_
