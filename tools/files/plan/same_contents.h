// Whether two files have the same contents.
#pragma once

#include "absl/status/statusor.h"
#include "tools/files/locations/location.h"

namespace fsload {

// Reads both files. CANCELLED after Ctrl-C.
absl::StatusOr<bool> HaveSameContentsAt(const Location& a, const Location& b);

}  // namespace fsload
