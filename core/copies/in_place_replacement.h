// New contents for an existing file of a plugin that cannot rename.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "core/copies/copies.h"
#include "fsload/copy_options.h"
#include "fsload/file_statistics.h"

namespace fsload {

// Keeps the new and the old contents under their own names until it is done,
// because the file may be another name of its source. One thread; the steps
// are called in order.
class InPlaceReplacement final {
 public:
  // Takes what is at `dst` as `before`.
  InPlaceReplacement(FilePath dst, const FileStatistics& before)
      : dst_(dst), before_(before) {}

  // Makes the two copies. On an error nothing is left, or the error says
  // otherwise.
  absl::Status Prepare(FilePath src, const CopyOptions& options);

  // Overwrites, after calling `options.before_writing`. On an error `dst` is as
  // before and nothing is left, or the error says otherwise.
  absl::Status Overwrite(const CopyOptions& options);

  // Puts the old contents back because of `error`, and returns that.
  absl::Status Restore(const absl::Status& error);

  // Makes sure that `dst` has the new contents after another name, which may
  // have been its own, was deleted.
  absl::Status CheckAfterDeletion(int64_t bytes);

  // Deletes the two copies.
  absl::Status Clear();

  // Names both copies in the error; they stay.
  absl::Status Keep(const absl::Status& error) const;

 private:
  bool IsThere(int64_t bytes) const;
  FilePath Temporary(const std::optional<std::string>& name) const;
  absl::Status MakeCopy(FilePath src, std::optional<std::string>& name,
                        const CopyOptions& options);

  const FilePath dst_;
  const FileStatistics before_;
  std::optional<std::string> new_;
  std::optional<std::string> old_;
};

}  // namespace fsload
