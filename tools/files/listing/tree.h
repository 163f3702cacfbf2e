// Lists a directory tree, in the same order on every machine.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "tools/files/listing/listed_tree.h"
#include "tools/files/listing/path_filter.h"
#include "tools/files/locations/location.h"

namespace fsload {

// Reports an error at `uri`; returns false to stop.
using ErrorReporter =
    std::function<bool(const std::string& uri, const absl::Status& status)>;

// How many directories may be nested below the root: links may form loops.
inline constexpr std::ptrdiff_t kMaxNested = 512;

// Returns the error for a directory that is nested deeper.
absl::Status TooDeep(const std::string& uri);

struct TreeRequest {
  Location root;  // a directory
  const PathFilter& filter;
  // Whether the tree will be deleted. Then symlinks are entries themselves, if
  // they are known to be symlinks (IsKnownLink); an entry that cannot be
  // examined counts as a file, unless a store denies it or fails, and a
  // directory that has vanished as empty, where otherwise each is an error.
  bool deletes = false;
  ErrorReporter report_error;
  // Whether the tree will be transferred. Then an object with the same name as
  // a directory is an error, and so is a non-empty object that stands for a
  // directory; otherwise the first is a file beside the directory.
  bool transfers = false;
  // Whether it is found out what each entry is. Otherwise all names in the root
  // count as files that were not examined, once for each time that they are
  // listed, and the tree ends there.
  bool examines = true;
};

// Returns the root and the entries below it that the filter accepts. Other
// symlinks to directories are followed; loops end with an error, at the latest
// 512 directories deep (but see ListLocalTree). Objects that no path leads to
// are errors too (CheckChildName). Looks up the entries of a directory in
// several threads at once. None if the caller stopped after an error.
std::optional<ListedTree> ListTree(const TreeRequest& request);

}  // namespace fsload
