// Plans cp and mv.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/files/listing/listed_tree.h"
#include "tools/files/listing/path_filter.h"
#include "tools/files/listing/shard.h"
#include "tools/files/listing/tree.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/plan/plan.h"

namespace fsload {

struct TransferRequest {
  std::vector<Location> sources;
  Location target;
  // How many sources the user named, including invalid ones: what the target
  // means depends on what was named, not on what is left of it.
  size_t named = 0;
  bool moves = false;               // else copies
  bool recursive = false;           // directories too
  bool replaces = true;             // existing files; else skips them
  bool renames_directories = true;  // as a whole, if possible
  bool onto_target = false;         // never into it, if it is a directory
  PathFilter filter;
  Shard shard;
  ErrorReporter report_error;

  bool only_directories = false;  // a source that is a file is an error

  // Whether the file at the target, as found there, is already a copy of the
  // source; null: none is. Called from several threads.
  std::function<absl::StatusOr<bool>(
      const Location& source, const FileStatistics& found,
      const Location& target, const FileStatistics& there)>
      is_current = nullptr;

  // Called once the source directory is listed, with what is at its target;
  // sets `entries`, if it knows them, so that those are not examined again that
  // are Seen. Returns whether to go on. May be null.
  std::function<bool(FileType there,
                     std::shared_ptr<const ListedTree>& entries)>
      list_target = nullptr;

  // Receives the entries of the last source directory, if it is given.
  std::shared_ptr<const ListedTree>* listed = nullptr;
};

// Plans bringing the sources to the target: into it if it is a directory, if
// there are several sources, or if a file's target ends in '/', unless it
// `onto_target`. Reads the sources and the target and changes nothing.
//
// A source that cannot be transferred is an error: a directory without
// `recursive`, one onto a file or the reverse, or onto a symlink below the
// target, one into itself, a file onto itself, two onto one, or a device, FIFO
// or socket to be read or replaced.
//
// Files are numbered in the order of the sources and of the paths in each, so
// shards are the same on all machines; each shard makes the directories that
// its files need, and the first also those without files. None if the caller
// stopped after an error.
std::optional<Plan> PlanTransfer(const TransferRequest& request);

}  // namespace fsload
