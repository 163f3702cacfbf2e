// Checks with the plugin, after the last step, that a copy is correct.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/copies/copies.h"
#include "fsload/copy_options.h"

namespace fsload {

// What was at a path before something was put there; nullopt if nothing was.
using Before = std::optional<FileStatistics>;

// Returns whether both are of the same unchanged file, as far as size and time
// tell.
bool IsUnchanged(const FileStatistics& before, const FileStatistics& after);

// Returns OK if `bytes` is all of `src`, whose statistics were `before` and
// `after` reading it: ABORTED if it changed meanwhile, DATA_LOSS if the plugin
// read a different number of bytes than its stat reports. (Files in /proc,
// which report 0, hold more.)
absl::Status CheckRead(FilePath src, int64_t bytes,
                       const FileStatistics& before,
                       const FileStatistics& after);

// Returns whether two files have the same bytes. `before_block` is called
// before each block, if it is given; its error ends the comparison.
absl::StatusOr<bool> HaveSameContents(
    FilePath a, FilePath b,
    const std::function<absl::Status()>& before_block = nullptr);

// Returns DATA_LOSS, of `op`, if they do not: the plugin reported a success
// that was none. Else fails as HaveSameContents does.
absl::Status CheckSameContents(
    Op op, FilePath src, FilePath dst,
    const std::function<absl::Status()>& before_block = nullptr);

// Does that if nobody has tested what the plugin of `dst` writes, as nothing
// else tells before the source or what `dst` replaces is deleted; otherwise OK.
// Of `options` only after_block is called.
absl::Status CheckIfUntested(FilePath src, FilePath dst,
                             const CopyOptions& options);

// Returns OK if the file, opened anew, can be read up to its end, which is
// after `bytes` bytes: stat may be answered from a cache. Else the plugin's
// error, or DATA_LOSS, also if nothing is there. Asks twice before it fails.
absl::Status CheckReadable(FilePath file, int64_t bytes);

// Returns what is at `dst`, where a plugin has just put a file: DATA_LOSS if
// nothing is, as FindConfirmed says. Costs no more than stat if that finds it.
absl::StatusOr<FileStatistics> StatCopy(FilePath dst);

// Returns OK only if `dst` is, by now, the copy of `src` with `bytes` bytes: it
// has that length (asked by reading its end if that is another than before, see
// PrefersReadToStat) and is not what was there `before`. If length and time
// cannot tell, or if the plugin's result of the last step, `said`, is an error,
// reads both files; also if the plugin reports another time whenever it is
// asked. Otherwise returns `said`, DATA_LOSS, or why the plugin does not
// answer.
absl::Status CheckCopy(FilePath src, FilePath dst, int64_t bytes,
                       const Before& before,
                       const absl::Status& said = absl::OkStatus());

}  // namespace fsload
