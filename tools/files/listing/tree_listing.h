// Collects the listing of a tree, through a plugin or on local disks.
#pragma once

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "tools/files/listing/listed_tree.h"
#include "tools/files/listing/tree.h"
#include "tools/files/locations/location.h"

namespace fsload {

// A tree that is being listed, and the errors on the way. One thread at a time.
class TreeListing final {
 public:
  using Id = ListedTree::Id;

  // Uses `request`, which must outlive it.
  explicit TreeListing(const TreeRequest& request) : request_(request) {}

  ListedTree& tree() { return tree_; }
  const ListedTree& tree() const { return tree_; }

  // Leaves the entry `path` out of `directory` and reports why. Returns whether
  // to go on.
  bool ReportError(Id directory, const std::string& path,
                   const absl::Status& status) {
    tree_.LeaveOutOf(directory);
    return request_.report_error(UriOf(path), status);
  }

  std::string UriOf(const std::string& path) const {
    return Below(request_.root, path).uri;
  }

  // Moves out all entries.
  ListedTree Take() {
    tree_.Sort();
    return std::exchange(tree_, {});
  }

 private:
  const TreeRequest& request_;
  ListedTree tree_;
};

}  // namespace fsload
