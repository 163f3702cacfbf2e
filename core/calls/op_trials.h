// What is tried once for a file system, and what came of it.
#pragma once

#include <optional>

#include "absl/base/thread_annotations.h"
#include "fsload/internal/mutex.h"

namespace fsload {

// What delete_dir did on temporary names (core/defaults/untested_delete_dir.h).
enum class SeenDeleteDir {
  kUnknown,   // more than it should, or it could not be tried
  kExact,     // it deletes an empty directory and nothing else
  kNeedless,  // create_dir makes none: directories are only prefixes of names
};

// Whoever needs one that is missing tries it, and records it here.
struct OpTrials {
  Mutex mutex;
  std::optional<SeenDeleteDir> delete_dir ABSL_GUARDED_BY(mutex);
};

}  // namespace fsload
