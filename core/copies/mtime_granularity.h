// Waits until the next write to a file is sure to change its modification time.
#pragma once

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"
#include "fsload/file_statistics.h"

namespace fsload {

// Returns how old `time_nsec` must be for a later write to change it, in
// nanoseconds: the kernel's file clock (`is_local`) ticks some hundred times a
// second; some disks store whole seconds (ext3) or even ones (FAT), and so do
// object stores (s3), whose clock may also differ slightly from ours.
int64_t MtimeGranularity(int64_t time_nsec, bool is_local);

// Calls `get_mtime` for the time of a file's last write until that is long
// enough ago; false for a file that is written to all the time. Returns an
// error of `get_mtime`. May take seconds.
absl::StatusOr<bool> WaitForNewMtime(
    bool is_local, const std::function<absl::StatusOr<int64_t>()>& get_mtime);

// Returns whether `look` still finds a file that was deleted; a store may have
// a directory of its name. Asks again for a second, for a cache may answer.
bool IsStillThere(const std::function<absl::StatusOr<FileStatistics>()>& look);

// The message for such a file.
inline constexpr char kStillThere[] =
    "the plugin reported that it was deleted, but it is still there";

// The message for a file that never settles.
inline constexpr char kKeepsChanging[] =
    "is written to continuously, so a copy may be incomplete";

}  // namespace fsload
