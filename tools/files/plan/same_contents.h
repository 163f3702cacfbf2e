// Whether two files have the same contents.
#ifndef FSLOAD_TOOLS_FILES_PLAN_SAME_CONTENTS_H_
#define FSLOAD_TOOLS_FILES_PLAN_SAME_CONTENTS_H_

#include "absl/status/statusor.h"
#include "tools/files/locations/location.h"

namespace fsload {

// Reads both files. CANCELLED after Ctrl-C.
absl::StatusOr<bool> HaveSameContentsAt(const Location& a, const Location& b);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_SAME_CONTENTS_H_
