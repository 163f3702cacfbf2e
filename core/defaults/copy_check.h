// Whether a copy is what it is to be, asked of the plugin after the last step.
#ifndef FSLOAD_CORE_DEFAULTS_COPY_CHECK_H_
#define FSLOAD_CORE_DEFAULTS_COPY_CHECK_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/defaults/defaults.h"

namespace fsload {

// What stood at a path before something was put there; nothing for a new one.
using Before = std::optional<FileStatistics>;

// Whether these are of a file that nobody wrote to in between, as far as size
// and time tell.
bool IsUnchanged(const FileStatistics& before, const FileStatistics& after);

// OK where `bytes` are all of `src`, which was `before` and `after` it was
// read: ABORTED for one that changed meanwhile, DATA_LOSS where the plugin read
// another number of bytes than it says there are. (Files of /proc, which say 0,
// hold more.)
absl::Status CheckRead(FilePath src, int64_t bytes,
                       const FileStatistics& before,
                       const FileStatistics& after);

// Whether two files have the same bytes.
absl::StatusOr<bool> HaveSameContents(FilePath a, FilePath b);

// OK only where `dst`, asked for now, is the copy of `src` with `bytes` bytes:
// it has that length, and is not what was there `before`. Where that cannot be
// told by length and time, or where the plugin's answer to the last step,
// `said`, is an error, both are read. Else `said`, DATA_LOSS, or why the
// plugin does not answer.
absl::Status CheckCopy(FilePath src, FilePath dst, int64_t bytes,
                       const Before& before,
                       const absl::Status& said = absl::OkStatus());

}  // namespace fsload

#endif  // FSLOAD_CORE_DEFAULTS_COPY_CHECK_H_
