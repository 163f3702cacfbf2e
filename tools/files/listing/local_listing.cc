#include "tools/files/listing/local_listing.h"

#include <sys/stat.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/paths/path.h"
#include "third_party/fmt/format.h"
#include "tools/files/listing/tree_listing.h"
#include "tools/files/locations/local_contents.h"
#include "tools/files/locations/local_tree.h"
#include "tools/session/interruption.h"

namespace fsload {
namespace {

// A directory above the current one.
struct Walked {
  ListedTree::Id id;
  dev_t device;
  ino_t inode;
  std::shared_ptr<const Walked> parent;  // null: the root
};

bool IsGone(int error) {
  return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

class LocalLister {
 public:
  explicit LocalLister(const TreeRequest& request)
      : request_(request),
        tree_(*request.root.tree),
        follows_(tree_.links() == Links::kFollowed),
        listing_(request) {}

  std::optional<ListedTree> Run() {
    struct stat info = {};
    // Listing it fails if this does, and reports the error.
    static_cast<void>(tree_.Describe(request_.root.path, info));
    Enter(ListedTree::kRoot, info, nullptr);
    while (!pending_.empty()) {
      const std::shared_ptr<const Walked> directory =
          std::move(pending_.back());
      pending_.pop_back();
      if (!List(directory)) return std::nullopt;
    }
    return listing_.Take();
  }

 private:
  void Enter(ListedTree::Id id, const struct stat& info,
             std::shared_ptr<const Walked> parent) {
    pending_.push_back(std::make_shared<Walked>(
        Walked{id, info.st_dev, info.st_ino, std::move(parent)}));
  }

  bool List(const std::shared_ptr<const Walked>& directory) {
    const std::string path = listing_.tree().PathOf(directory->id);
    absl::Status status = CheckInterruption();
    bool goes_on = true;
    if (status.ok()) {
      // From the last one on, as the last one is entered first.
      const int error = tree_.List(JoinPath(request_.root.path, path),
                                   [&](const LocalChild& child) {
                                     goes_on = Add(directory, path, child);
                                     return goes_on;
                                   });
      // It is gone, or no longer a directory.
      if (request_.deletes && IsGone(error)) return true;
      status = LocalError(error, listing_.UriOf(path));
    }
    if (!status.ok()) return listing_.ReportError(directory->id, path, status);
    return goes_on;
  }

  bool Add(const std::shared_ptr<const Walked>& directory,
           const std::string& folder, const LocalChild& child) {
    const std::string path = JoinPath(folder, child.name);
    if (request_.deletes && child.error == ENOENT) return true;
    const mode_t mode = child.info.st_mode;
    const bool is_directory = child.error == 0 && S_ISDIR(mode);
    // What is kept may be a directory on the other side.
    const bool may_be_directory =
        is_directory || (request_.deletes && S_ISLNK(mode));
    if (request_.filter.Excludes(path, may_be_directory) ||
        (!is_directory && !request_.filter.Includes(path))) {
      listing_.tree().LeaveOutOf(directory->id);
      return true;
    }
    const absl::Status status = Check(path, directory, child);
    if (!status.ok()) return listing_.ReportError(directory->id, path, status);
    if (is_directory) {
      Enter(listing_.tree().AddDirectory(directory->id, child.name,
                                         ListedTree::Seen::kExamined),
            child.info, directory);
    } else {
      listing_.tree().AddFile(directory->id, child.name,
                              StatisticsOf(child.info),
                              S_ISREG(mode) ? ListedTree::Seen::kExamined
                                            : ListedTree::Seen::kNothing);
    }
    return true;
  }

  absl::Status Check(const std::string& path,
                     const std::shared_ptr<const Walked>& directory,
                     const LocalChild& child) const {
    if (request_.deletes) return absl::OkStatus();
    if (child.error != 0) return LocalError(child.error, listing_.UriOf(path));
    if (!SpecialKind(child.info.st_mode).empty()) {
      return IsSpecial(listing_.UriOf(path), child.info.st_mode);
    }
    if (!follows_ || !S_ISDIR(child.info.st_mode)) return absl::OkStatus();
    for (const Walked* above = directory.get(); above != nullptr;
         above = above->parent.get()) {
      if (above->device == child.info.st_dev &&
          above->inode == child.info.st_ino) {
        return FailedPreconditionError(
            "{}: is a link back to {}, which contains it; it is "
            "not followed",
            listing_.UriOf(path),
            listing_.UriOf(listing_.tree().PathOf(above->id)));
      }
    }
    return absl::OkStatus();
  }

  const TreeRequest& request_;
  const LocalTree& tree_;
  const bool follows_;
  TreeListing listing_;
  std::vector<std::shared_ptr<const Walked>> pending_;
};

}  // namespace

std::optional<ListedTree> ListLocalTree(const TreeRequest& request) {
  return LocalLister(request).Run();
}

}  // namespace fsload
