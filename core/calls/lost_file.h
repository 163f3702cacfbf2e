// Marks errors of calls on open files whose plugin was in a process of its own
// that has ended (loader/isolation).
#pragma once

#include "absl/status/status.h"

namespace fsload {

// The payload of such an error, also in a TF_Status: the file must be opened
// again.
inline constexpr char kFileLostPayload[] = "fsload.file_lost";

// Returns whether `error` is one of these, and nothing else was left to be done
// (WithText).
inline bool IsFileLost(const absl::Status& error) {
  return error.GetPayload(kFileLostPayload).has_value();
}

}  // namespace fsload
