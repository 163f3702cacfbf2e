// Marks errors of calls whose plugin was in a process of its own that has ended
// (loader/isolation).
#ifndef FSLOAD_CORE_CALLS_PROCESS_END_H_
#define FSLOAD_CORE_CALLS_PROCESS_END_H_

#include "absl/status/status.h"

namespace fsload {

// The payload of such an error, also in a TF_Status. Files that were open are
// lost; another call has another process.
inline constexpr char kProcessEndedPayload[] = "fsload.process_ended";

inline bool IsProcessEnd(const absl::Status& error) {
  return error.GetPayload(kProcessEndedPayload).has_value();
}

}  // namespace fsload

#endif  // FSLOAD_CORE_CALLS_PROCESS_END_H_
