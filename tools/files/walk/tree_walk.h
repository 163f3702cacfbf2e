// Walks everything below a directory.
#ifndef FSLOAD_TOOLS_FILES_WALK_TREE_WALK_H_
#define FSLOAD_TOOLS_FILES_WALK_TREE_WALK_H_

#include <cstddef>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "core/threads/parallel_for.h"
#include "fsload/file_system.h"

namespace fsload {

// What is looked up for each entry: above kNames, one plugin call per entry.
enum class Detail { kNames, kTypes, kStatistics };

struct WalkOptions {
  Detail detail = Detail::kNames;
  bool recursive = false;      // needs at least kTypes
  bool follows_links = true;   // to directories, if recognised (IsOwnLink)
  size_t jobs = kMostThreads;  // parallel calls
};

struct WalkEntry {
  std::string name;           // relative to the start of the walk: "a/b"
  std::string uri;            // of the entry
  FileStatistics statistics;  // if requested; otherwise at most is_directory
};

// Calls `visit` for each entry below the directory `uri`, a directory before
// its contents, sorted by name; `visit` yields whether to go on. Calls `fail`
// for an entry that could not be examined or listed, and goes on. A symlink
// that leads to a directory above it is such a failure, and so is anything
// deeper than 1000 directories. Yields the error of listing `uri` itself, and
// CANCELLED once the user has interrupted the command.
//
// Keeps in memory the names in the directories above the current one and in its
// nearest siblings. Calls `visit` and `fail` in the caller's thread.
absl::Status WalkTree(const FileSystem& file_system, const std::string& uri,
                      const WalkOptions& options,
                      const std::function<bool(const WalkEntry&)>& visit,
                      const std::function<void(const std::string& uri,
                                               const absl::Status&)>& fail);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_WALK_TREE_WALK_H_
