// Repeats calls of a plugin that failed for the moment: --retries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/file_system.h"
#include "tools/session/call_counts.h"

namespace fsload {

inline constexpr size_t kMaxRetries = 100;

// Whether calls wait before they are repeated.
enum class Waits : uint8_t { kYes, kNo };

// Returns `file_system`, whose calls are repeated up to `retries` times where
// that can neither lose nor double anything (fsload/retrying.h); what is
// repeated is counted in `counts`, which may be null. A call is not repeated
// when the user interrupts, when its server cannot be reached, nor later than
// 10 seconds after its first failure.
absl::StatusOr<FileSystemPtr> WithRetries(
    FileSystemPtr file_system, size_t retries, Waits waits,
    const std::shared_ptr<CallCounts>& counts);

// Returns whether calls that fail with `code` are repeated, with some plugins.
bool IsWorthAnotherTry(absl::StatusCode code);

}  // namespace fsload
