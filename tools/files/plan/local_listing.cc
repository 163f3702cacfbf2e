#include "tools/files/plan/local_listing.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "core/paths/path.h"
#include "tools/files/local/local_contents.h"
#include "tools/files/local/local_tree.h"
#include "tools/files/plan/tree_listing.h"
#include "tools/files/state/interruption.h"

namespace fsload {
namespace {

// A directory above the current one.
struct Walked {
  std::string path;
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

  bool Run() {
    struct stat info = {};
    // Listing it fails if this does, and reports the error.
    static_cast<void>(tree_.Describe(request_.root.path, info));
    Enter("", info, nullptr);
    while (!pending_.empty()) {
      const std::shared_ptr<const Walked> directory =
          std::move(pending_.back());
      pending_.pop_back();
      if (!List(directory)) return false;
    }
    return true;
  }

  std::vector<ListedEntry> TakeEntries() { return listing_.Take(); }

 private:
  void Enter(const std::string& path, const struct stat& info,
             std::shared_ptr<const Walked> parent) {
    pending_.push_back(std::make_shared<Walked>(
        Walked{path, info.st_dev, info.st_ino, std::move(parent)}));
  }

  bool List(const std::shared_ptr<const Walked>& directory) {
    const std::string& path = directory->path;
    std::vector<LocalChild> children;
    absl::Status status = CheckInterruption();
    if (status.ok()) {
      const int error =
          tree_.List(JoinPath(request_.root.path, path), children);
      // It is gone, or no longer a directory.
      if (request_.deletes && IsGone(error)) return true;
      status = LocalError(error, listing_.UriOf(path));
    }
    if (!status.ok()) return listing_.Tell(path, path, status);
    // Reversed, as the last one is entered first.
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      if (!Add(directory, *child)) return false;
    }
    return true;
  }

  bool Add(const std::shared_ptr<const Walked>& directory,
           const LocalChild& child) {
    const std::string path = JoinPath(directory->path, child.name);
    if (request_.deletes && child.error == ENOENT) return true;
    const mode_t mode = child.info.st_mode;
    const bool is_directory = child.error == 0 && S_ISDIR(mode);
    if (request_.filter.Excludes(path, is_directory) ||
        (!is_directory && !request_.filter.Includes(path))) {
      listing_.LeaveOutOf(directory->path);
      return true;
    }
    const absl::Status status = Check(path, directory, child);
    if (!status.ok()) return listing_.Tell(directory->path, path, status);
    if (is_directory) {
      listing_.AddDirectory(path);
      Enter(path, child.info, directory);
    } else {
      listing_.AddFile(path, StatisticsOf(child.info));
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
        return absl::FailedPreconditionError(
            fmt::format("{}: is a link back to {}, which contains it; it is "
                        "not followed",
                        listing_.UriOf(path), listing_.UriOf(above->path)));
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

std::optional<std::vector<ListedEntry>> ListLocalTree(
    const TreeRequest& request) {
  LocalLister lister(request);
  if (!lister.Run()) return std::nullopt;
  return lister.TakeEntries();
}

}  // namespace fsload
