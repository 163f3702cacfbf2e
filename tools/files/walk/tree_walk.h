// Goes through all that is under a directory.
#ifndef FSLOAD_TOOLS_FILES_WALK_TREE_WALK_H_
#define FSLOAD_TOOLS_FILES_WALK_TREE_WALK_H_

#include <cstddef>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "core/threads/parallel_for.h"
#include "fsload/file_system.h"

namespace fsload {

// What is found out about each entry: each level costs a call of the plugin for
// each of them.
enum class Detail { kNames, kTypes, kStatistics };

struct WalkOptions {
  Detail detail = Detail::kNames;
  bool recursive = false;      // takes kTypes at least
  size_t jobs = kMostThreads;  // calls at a time
};

struct WalkEntry {
  std::string name;           // as seen from where the walk began: "a/b"
  std::string uri;            // its own
  FileStatistics statistics;  // where asked for; else at most is_directory
};

// Calls `visit` with what is under the directory `uri`, a directory before what
// it holds, in the order of their names; `visit` yields whether to go on. Calls
// `fail` with what could not be looked at, or listed, and goes on. Where a link
// leads back to a directory that it lies in, that is such a failure, and so is
// what lies deeper than 1000 directories. Yields the error of listing `uri`
// itself, and CANCELLED once the user has interrupted the command.
//
// Holds the names in the directories on the way to the current one, and those
// in its nearest siblings. `visit` and `fail` are called in the caller's
// thread.
absl::Status WalkTree(const FileSystem& file_system, const std::string& uri,
                      const WalkOptions& options,
                      const std::function<bool(const WalkEntry&)>& visit,
                      const std::function<void(const std::string& uri,
                                               const absl::Status&)>& fail);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_WALK_TREE_WALK_H_
