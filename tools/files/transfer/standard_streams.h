// Copies from standard input and to standard output.
#ifndef FSLOAD_TOOLS_FILES_TRANSFER_STANDARD_STREAMS_H_
#define FSLOAD_TOOLS_FILES_TRANSFER_STANDARD_STREAMS_H_

#include "absl/status/status.h"
#include "tools/files/output/progress.h"
#include "tools/files/plan/plan.h"

namespace fsload {

// Writes all of the file `source`; DATA_LOSS where its plugin reports its end
// too early. OK also when nobody wants the rest:
// FlushOutput tells of that.
absl::Status CopyToStandardOutput(const Place& source, Progress& progress);

// Makes the file `target` of all that comes, under a temporary name first where
// the plugin has rename_file and does not replace files atomically by itself.
// On an error, or an interruption (CANCELLED), what was made is deleted; a file
// that was there is lost where the plugin cannot rename, and the error says so.
// ALREADY_EXISTS for a file, unless `replaces`, also for one that came
// meanwhile where the plugin can rename; FAILED_PRECONDITION for a directory.
absl::Status CopyFromStandardInput(const Place& target, bool replaces,
                                   Progress& progress);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_TRANSFER_STANDARD_STREAMS_H_
