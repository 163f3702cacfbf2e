// Collects the listing of a tree, through a plugin or on local disks.
#ifndef FSLOAD_TOOLS_FILES_PLAN_TREE_LISTING_H_
#define FSLOAD_TOOLS_FILES_PLAN_TREE_LISTING_H_

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/paths/path.h"
#include "tools/files/plan/plan.h"
#include "tools/files/plan/tree.h"

namespace fsload {

// The entries of one tree, including the root, and which directories are
// incomplete. One thread at a time.
class TreeListing final {
 public:
  // `request` must outlive it.
  explicit TreeListing(const TreeRequest& request)
      : request_(request), entries_({{"", true}}) {}

  void AddDirectory(const std::string& path) {
    entries_.push_back({path, true});
  }

  void AddFile(const std::string& path, const FileStatistics& found) {
    entries_.push_back({path, false, found});
    entries_.back().found.length = std::max(found.length, int64_t{0});
  }

  // Something in `directory` stays, and so do all its ancestors.
  void LeaveOutOf(const std::string& directory) {
    for (std::string path = directory; left_out_of_.insert(path).second;) {
      path = std::string(Dirname(path));
    }
  }

  // Leaves the entry `path` out of `directory` and reports why. Yields whether
  // to go on.
  bool Tell(const std::string& directory, const std::string& path,
            const absl::Status& status) {
    LeaveOutOf(directory);
    return request_.tell(UriOf(path), status);
  }

  std::string UriOf(const std::string& path) const {
    return Below(request_.root, path).uri;
  }

  // Moves out all entries, sorted by path.
  std::vector<ListedEntry> Take() {
    for (ListedEntry& entry : entries_) {
      entry.is_whole = left_out_of_.count(entry.path) == 0;
    }
    std::sort(entries_.begin(), entries_.end(),
              [](const ListedEntry& a, const ListedEntry& b) {
                return a.path < b.path;
              });
    return std::exchange(entries_, {});
  }

 private:
  const TreeRequest& request_;
  std::vector<ListedEntry> entries_;
  std::set<std::string> left_out_of_;
};

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_TREE_LISTING_H_
