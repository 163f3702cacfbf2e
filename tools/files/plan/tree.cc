#include "tools/files/plan/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/calls/plugin_ops.h"
#include "core/paths/path.h"
#include "core/threads/parallel_for.h"
#include "core/walk/child_names.h"
#include "tools/files/plan/local_listing.h"
#include "tools/files/plan/places.h"
#include "tools/files/plan/store_objects.h"
#include "tools/files/plan/tree_listing.h"
#include "tools/files/state/interruption.h"

namespace fsload {
namespace {

constexpr std::ptrdiff_t kDeepest = 512;

using Names = std::vector<std::string>;
using Found = absl::StatusOr<FileStatistics>;

class TreeLister {
 public:
  explicit TreeLister(const TreeRequest& request)
      : request_(request), listing_(request) {}

  bool Run() {
    pending_.emplace_back();
    if (!AddObjectBeside("")) return false;
    while (!pending_.empty()) {
      const std::string directory = std::move(pending_.back());
      pending_.pop_back();
      if (!List(directory)) return false;
    }
    return true;
  }

  std::vector<ListedEntry> TakeEntries() { return listing_.Take(); }

 private:
  bool List(const std::string& directory) {
    const absl::Status status = CheckDepthOf(directory);
    if (!status.ok()) return TellNotListed(directory, status);
    absl::StatusOr<Children> children =
        ListChildren(*request_.root.file_system, listing_.UriOf(directory));
    if (!children.ok()) {
      const absl::Status listed = request_.deletes
                                      ? UnlessGone(directory, children.status())
                                      : children.status();
      return listed.ok() || TellNotListed(directory, listed);
    }
    if (!TellOfOddNames(directory, children->names)) return false;
    const Names& names = children->names;
    std::vector<Found> found(names.size(), absl::UnknownError("not asked"));
    const absl::Status interrupted = ParallelFor(names.size(), [&](size_t i) {
      absl::Status status = CheckInterruption();
      if (status.ok()) {
        found[i] = request_.root.file_system->Stat(
            listing_.UriOf(JoinPath(directory, names[i])));
      }
      return status;
    });
    if (!interrupted.ok()) return TellNotListed(directory, interrupted);
    // Reversed, as the last one is entered first.
    for (size_t i = names.size(); i > 0; --i) {
      const std::string path = JoinPath(directory, names[i - 1]);
      const bool doubled = children->doubled.count(names[i - 1]) > 0;
      if (!Add(directory, path, found[i - 1], doubled)) return false;
    }
    return true;
  }

  // OK if `directory`, which is to be deleted and cannot be listed, is no
  // longer in its parent, or was a dangling symlink; else the error. A server
  // may claim that any directory does not exist.
  absl::Status UnlessGone(const std::string& directory,
                          const absl::Status& listed) const {
    if (absl::IsFailedPrecondition(listed)) return absl::OkStatus();
    if (!absl::IsNotFound(listed) || directory.empty()) return listed;
    const absl::StatusOr<Children> around =
        ListChildren(*request_.root.file_system,
                     listing_.UriOf(std::string(Dirname(directory))));
    if (!around.ok()) return around.status();
    const Names& names = around->names;
    return std::binary_search(names.begin(), names.end(), Basename(directory))
               ? listed
               : absl::OkStatus();
  }

  // Removes from `names` those that name nothing in the directory, and reports
  // them, and anything that listings omit.
  bool TellOfOddNames(const std::string& directory, Names& names) {
    const std::string uri = listing_.UriOf(directory);
    const absl::StatusOr<bool> unlisted =
        HasUnlistedPart(Below(request_.root, directory));
    if (!unlisted.ok()) return TellNotListed(directory, unlisted.status());
    absl::Status status =
        *unlisted ? CheckChildName(uri, "") : absl::OkStatus();
    if (!status.ok() && !TellNotListed(directory, status)) return false;
    // Reports the removed names in order, and keeps the order of the others.
    for (auto name = names.begin(); name != names.end();) {
      status = CheckChildName(uri, *name);
      if (status.ok()) {
        ++name;
        continue;
      }
      name = names.erase(name);
      if (!TellNotListed(directory, status)) return false;
    }
    // The contents of an object that stands for the directory are in no file.
    if (!request_.transfers || request_.filter.has_includes()) return true;
    status = CheckMarkerIsEmpty(Below(request_.root, directory));
    return status.ok() || TellNotListed(directory, status);
  }

  // Adds, or reports, an object with the same name as the directory `path`.
  bool AddObjectBeside(const std::string& path) {
    const Place place = Below(request_.root, path);
    const std::string folder(Dirname(path));
    const absl::StatusOr<bool> found = HasObjectBeside(place);
    if (found.ok() && !*found) return true;
    if (found.ok() && (!request_.transfers || !IsWanted(path))) {
      return AddFile(folder, path, {});
    }
    // It is beside the root, not in it.
    if (!path.empty()) listing_.LeaveOutOf(folder);
    return request_.tell(place.uri,
                         found.ok() ? ObjectStays(place.uri) : found.status());
  }

  // What is not known to be empty must not be deleted.
  bool TellNotListed(const std::string& directory, const absl::Status& status) {
    return listing_.Tell(directory, directory, status);
  }

  absl::Status CheckDepthOf(const std::string& directory) const {
    if (std::count(directory.begin(), directory.end(), '/') >= kDeepest) {
      return absl::FailedPreconditionError(fmt::format(
          "{}: more than {} nested directories; a link may lead back to a "
          "directory above it",
          listing_.UriOf(directory), kDeepest));
    }
    return CheckInterruption();
  }

  bool Add(const std::string& directory, const std::string& path,
           const Found& found, bool doubled) {
    if (!found.ok() && !request_.deletes) {
      return listing_.Tell(directory, path, found.status());
    }
    const bool is_link =
        request_.deletes && IsKnownLink(Below(request_.root, path));
    const bool is_directory =
        found.ok() && !is_link &&
        (found->is_directory || (doubled && HasEntries(path)));
    if (!is_directory) {
      return AddFile(directory, path,
                     found.ok() && !is_link ? *found : FileStatistics());
    }
    if (request_.filter.Excludes(path, true)) {
      listing_.LeaveOutOf(directory);
    } else {
      listing_.AddDirectory(path);
      pending_.push_back(path);
    }
    return !doubled || AddObjectBeside(path);
  }

  // Whether the filter accepts a file.
  bool IsWanted(const std::string& path) const {
    return !request_.filter.Excludes(path, false) &&
           request_.filter.Includes(path);
  }

  bool HasEntries(const std::string& path) const {
    const absl::StatusOr<Names> names =
        request_.root.file_system->GetChildren(listing_.UriOf(path));
    return names.ok() && !names->empty();
  }

  bool AddFile(const std::string& directory, const std::string& path,
               const FileStatistics& found) {
    if (IsWanted(path)) {
      listing_.AddFile(path, found);
    } else {
      listing_.LeaveOutOf(directory);
    }
    return true;
  }

  const TreeRequest& request_;
  TreeListing listing_;
  Names pending_;  // directories not listed yet
};

}  // namespace

std::optional<std::vector<ListedEntry>> ListTree(const TreeRequest& request) {
  if (request.root.tree != nullptr) return ListLocalTree(request);
  TreeLister lister(request);
  if (!lister.Run()) return std::nullopt;
  return lister.TakeEntries();
}

}  // namespace fsload
