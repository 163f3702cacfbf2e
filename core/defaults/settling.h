// Waiting until the next write to a file shows in the time that is told of it.
#ifndef FSLOAD_CORE_DEFAULTS_SETTLING_H_
#define FSLOAD_CORE_DEFAULTS_SETTLING_H_

#include <cstdint>
#include <functional>

#include "absl/status/statusor.h"

namespace fsload {

// Who writes twice within a tick of a clock leaves one time. How old
// `time_nsec` must be for a later write to show in it, in nanoseconds: the
// kernel's clock for files (`is_local`) ticks some hundred times a second, some
// disks tell whole seconds (ext3) or even ones (FAT), and so do stores (that of
// s3), by a clock that may differ from ours a little.
int64_t SettledAge(int64_t time_nsec, bool is_local);

// Asks `tell` when a file was written to last, until that is long enough ago;
// false for a file that is written to all the time. An error of `tell` is the
// result. May take seconds.
absl::StatusOr<bool> WaitUntilSettled(
    bool is_local, const std::function<absl::StatusOr<int64_t>()>& tell);

// What is said of such a file.
inline constexpr char kNeverSettles[] =
    "it is written to all the time, so that a copy may not be whole";

}  // namespace fsload

#endif  // FSLOAD_CORE_DEFAULTS_SETTLING_H_
