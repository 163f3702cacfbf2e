// Copies from streams such as standard input, and to standard output.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/files/output/progress.h"
#include "tools/files/plan/plan.h"
#include "tools/files/run/source.h"

namespace fsload {

// Writes all of `source`. Fails as its Next does. Also OK if nobody reads the
// rest: FlushOutput reports that.
absl::Status CopyToStandardOutput(Source& source, Progress& progress);

// What was written to a file.
struct StreamCopy {
  int64_t bytes = 0;
  bool replaced = false;  // another file
};

// Writes a stream to the file `target`, under a temporary name first if the
// plugin has rename_file and does not replace files atomically by itself. On an
// error or an interruption (CANCELLED), deletes what was written.
// ALREADY_EXISTS for an existing file, unless `replaces`, including one created
// meanwhile if the plugin can rename; FAILED_PRECONDITION for a directory.
absl::StatusOr<StreamCopy> CopyStream(Source& input, const Location& target,
                                      bool replaces, Progress& progress);

}  // namespace fsload
