// Runs the steps of a plan that transfer a file.
#pragma once

#include <cstddef>

#include "absl/status/status.h"
#include "tools/files/output/progress.h"
#include "tools/files/plan/plan.h"
#include "tools/files/transfer/written_files.h"

namespace fsload {

// Runs `step`, which copies, renames or moves a file. On an error, and on an
// interruption (CANCELLED), the source and the target are as before.
// ALREADY_EXISTS for a target that exists, unless `replaces`, and for one in
// `placed`, to which files put on a disk are added. Counts its bytes as
// progress. Copies again, up to `retries` times, if the process of a plugin
// ended meanwhile.
absl::Status TransferFile(const Step& step, bool replaces, WrittenFiles& placed,
                          Progress& progress, size_t retries = 0);

}  // namespace fsload
