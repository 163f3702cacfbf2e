// All that is in a directory, in one order on every machine.
#ifndef FSLOAD_TOOLS_FILES_PLAN_TREE_H_
#define FSLOAD_TOOLS_FILES_PLAN_TREE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/files/plan/plan.h"
#include "tools/files/walk/path_filter.h"

namespace fsload {

struct ListedEntry {
  std::string path;           // relative to the root, which is ""
  bool is_directory = false;  // or a link to one that is followed
  int64_t bytes = 0;          // of a file
  bool is_whole = true;       // of a directory: nothing below was left out
};

struct TreeRequest {
  Place root;  // a directory
  const PathFilter& filter;
  // Whether the tree is to be deleted. Then links are entries of their own, as
  // far as they are known (IsKnownLink); an entry that nothing can be said of
  // is a file, and a directory that is none is empty, where else it is an
  // error.
  bool deletes = false;
  TellError tell;
  // Whether the tree is to be brought elsewhere. Then an object of a store that
  // a directory has the name of is an error, and so is one that stands for a
  // directory and is not empty; else the first is a file beside the directory.
  bool transfers = false;
};

// The root and what is below it that the filter wants, sorted by path, so that
// each directory comes before what is in it. Other links to directories are
// followed; those that lead round in circles end with an error, at the latest
// 512 directories deep (but see ListLocalTree). Objects of stores that no path
// leads to are errors too (CheckChildName). The entries of a directory are
// asked for by several threads at once. Nothing when the caller did not want to
// go on after an error.
std::optional<std::vector<ListedEntry>> ListTree(const TreeRequest& request);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_TREE_H_
