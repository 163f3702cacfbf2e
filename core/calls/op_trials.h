// What is tried once for a file system, and what came of it.
#pragma once

#include <atomic>
#include <optional>

namespace fsload {

// What delete_dir did on temporary names (core/defaults/untested_delete_dir.h).
enum class SeenDeleteDir {
  kUnknown,   // more than it should, or it could not be tried
  kExact,     // it deletes an empty directory and nothing else
  kNeedless,  // create_dir makes none: directories are only prefixes of names
};

// Whoever needs one that is missing tries it, and records it here. Threads that
// need it at once all try it: none waits for another's calls. The value is all
// that is shared, so the default order would not be needed, and costs nothing.
struct OpTrials {
  std::atomic<std::optional<SeenDeleteDir>> delete_dir{std::nullopt};
};

}  // namespace fsload
