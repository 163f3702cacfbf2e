// Keeps the contents of a move's target while its source is deleted: the two
// may be one file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "tools/files/plan/plan.h"
#include "tools/session/unfinished_work.h"

namespace fsload {

// A disk may take `x` for `X`, a link may be on the way, and two plugins may
// lead to one disk; no operation of a plugin tells. Belongs to one thread.
class Backup final {
 public:
  // Prepares a copy of `target`, which is complete and has `bytes` bytes.
  Backup(const Location& target, int64_t bytes)
      : target_(target), bytes_(bytes) {}

  // Copies the target to a temporary name beside it.
  absl::Status Save();

  bool is_saved() const { return !name_.empty(); }

  // Opens the target anew, after the source was deleted, and reads its ends. If
  // that fails, puts the copy back in its place; without a copy, or if it
  // cannot be put back and is kept, that is the error. Deletes the copy that is
  // not needed anymore.
  absl::Status Finish();

 private:
  absl::Status PutBack(const absl::Status& error) const;

  const Location& target_;
  const int64_t bytes_;
  std::string name_;
  std::optional<UnfinishedWork> work_;
};

// Returns whether a move to `target` asks for it again after its source was
// deleted: not known stores, as each request takes time and costs money.
bool IsReadAfterDeletion(const Location& target);

}  // namespace fsload
