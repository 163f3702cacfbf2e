#include "tools/files/listing/tree.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/calls/plugin_ops.h"
#include "core/file_system/confirmed_stat.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/path.h"
#include "core/threads/parallel_for.h"
#include "core/walk/child_names.h"
#include "core/walk/link_loop.h"
#include "third_party/fmt/format.h"
#include "tools/files/listing/local_listing.h"
#include "tools/files/listing/tree_listing.h"
#include "tools/files/locations/path_checks.h"
#include "tools/files/locations/store_objects.h"
#include "tools/session/interruption.h"

namespace fsload {
namespace {

// How many entries of a directory are examined at once: enough to keep all
// threads busy, few enough for little memory.
constexpr size_t kAtOnce = 10'000;

using Names = std::vector<std::string>;
using Found = absl::StatusOr<FileStatistics>;

class TreeLister {
 public:
  explicit TreeLister(const TreeRequest& request)
      : request_(request), listing_(request) {}

  std::optional<ListedTree> Run() {
    pending_.push_back({ListedTree::kRoot, nullptr});
    if (!AddObjectBeside(ListedTree::kRoot, "")) return std::nullopt;
    while (!pending_.empty()) {
      Pending next = std::move(pending_.back());
      pending_.pop_back();
      Directory directory = {next.id, listing_.tree().PathOf(next.id),
                             std::move(next.parent)};
      if (!List(directory)) return std::nullopt;
    }
    return listing_.Take();
  }

 private:
  using Id = ListedTree::Id;
  using Seen = ListedTree::Seen;

  using Walked = std::shared_ptr<const WalkedDirectory>;

  struct Pending {
    Id id;
    Walked parent;
  };

  struct Directory {
    Id id;
    std::string path;
    Walked parent;
    Walked walked = nullptr;  // itself, from when it is listed
  };

  bool List(Directory& directory) {
    const absl::Status status = CheckDepthOf(directory.path);
    if (!status.ok()) return ReportNotListed(directory, status);
    absl::StatusOr<Children> children = ListChildren(
        *request_.root.file_system, listing_.UriOf(directory.path));
    if (!children.ok()) {
      const absl::Status listed =
          request_.deletes ? IgnoreNotFound(directory.path, children.status())
                           : children.status();
      return listed.ok() || ReportNotListed(directory, listed);
    }
    if (!ReportOddNames(directory, children->names)) return false;
    if (!request_.examines) return AddUnexamined(directory, *children);
    const absl::Status loop = CheckForLoopAt(directory, children->names);
    if (!loop.ok()) return ReportNotListed(directory, loop);
    // From the last ones on, as the last one is entered first.
    for (size_t end = children->names.size(); end > 0;) {
      const size_t begin = end - std::min(end, kAtOnce);
      if (!AddChildren(directory, *children, begin, end)) return false;
      end = begin;
    }
    return true;
  }

  // Adds all children as files: a name that is listed twice, as an object and a
  // directory, as two.
  bool AddUnexamined(const Directory& directory, const Children& children) {
    for (const std::string& name : children.names) {
      const size_t times = children.doubled.count(name) > 0 ? 2 : 1;
      for (size_t i = 0; i < times; ++i) {
        if (!AddFile(directory.id, JoinPath(directory.path, name),
                     UnknownError("not asked"))) {
          return false;
        }
      }
    }
    return true;
  }

  // Adds the children with the numbers from `begin` to `end`.
  bool AddChildren(const Directory& directory, const Children& children,
                   size_t begin, size_t end) {
    const Names& names = children.names;
    std::vector<Found> found(end - begin, UnknownError("not asked"));
    const absl::Status interrupted = ParallelFor(end - begin, [&](size_t i) {
      absl::Status status = CheckInterruption();
      if (status.ok()) {
        found[i] = StatListed(
            *request_.root.file_system,
            listing_.UriOf(JoinPath(directory.path, names[begin + i])));
      }
      return status;
    });
    if (!interrupted.ok()) return ReportNotListed(directory, interrupted);
    for (size_t i = end; i > begin; --i) {
      const std::string& name = names[i - 1];
      const bool doubled = children.doubled.count(name) > 0;
      if (!Add(directory, name, found[i - 1 - begin], doubled)) return false;
    }
    return true;
  }

  // OK if `directory`, which is to be deleted and cannot be listed, is no
  // longer in its parent, or was a dangling symlink; else the error. A server
  // may claim that any directory does not exist.
  absl::Status IgnoreNotFound(const std::string& directory,
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
  bool ReportOddNames(const Directory& directory, Names& names) {
    const std::string uri = listing_.UriOf(directory.path);
    const absl::StatusOr<bool> unlisted =
        HasUnlistedPart(Below(request_.root, directory.path));
    if (!unlisted.ok()) return ReportNotListed(directory, unlisted.status());
    absl::Status status =
        *unlisted ? CheckChildName(uri, "") : absl::OkStatus();
    if (!status.ok() && !ReportNotListed(directory, status)) return false;
    // Reports the removed names in order, and keeps the order of the others.
    bool goes_on = true;
    const auto is_odd = [&](const std::string& name) {
      if (!goes_on) return false;
      const absl::Status status = CheckChildName(uri, name);
      if (!status.ok()) goes_on = ReportNotListed(directory, status);
      return !status.ok();
    };
    names.erase(std::remove_if(names.begin(), names.end(), is_odd),
                names.end());
    if (!goes_on) return false;
    // The contents of an object that stands for the directory are in no file.
    if (!request_.transfers || request_.filter.has_includes()) return true;
    status = CheckMarkerIsEmpty(Below(request_.root, directory.path));
    return status.ok() || ReportNotListed(directory, status);
  }

  // Adds, or reports, an object in `folder` with the same name as the directory
  // `path`.
  bool AddObjectBeside(Id folder, const std::string& path) {
    const Location location = Below(request_.root, path);
    const absl::StatusOr<bool> found = HasObjectBeside(location);
    if (found.ok() && !*found) return true;
    if (found.ok() &&
        (!request_.transfers || !request_.filter.SelectsFile(path))) {
      return AddFile(folder, path, UnknownError("not asked"));
    }
    // It is beside the root, not in it.
    if (!path.empty()) listing_.tree().LeaveOutOf(folder);
    return request_.report_error(
        location.uri, found.ok() ? ObjectStays(location.uri) : found.status());
  }

  // What is not known to be empty must not be deleted.
  bool ReportNotListed(const Directory& directory, const absl::Status& status) {
    return listing_.ReportError(directory.id, directory.path, status);
  }

  // Links may lead to a directory above `directory`, and several of them make
  // more directories with each round than memory holds. Trees in which a
  // directory has the names of several above it are rare, but for those whose
  // names are digits of hashes, which stores have: these have no links.
  absl::Status CheckForLoopAt(Directory& directory, const Names& names) const {
    constexpr int kRounds = 3;
    const PluginTraits& traits = TablesOf(*request_.root.file_system).traits;
    if (traits.has_no_links || traits.replaces_atomically) {
      return absl::OkStatus();
    }
    const std::shared_ptr<WalkedDirectory> walked =
        Enter(listing_.UriOf(directory.path), names, directory.parent);
    directory.walked = walked;
    int rounds = 0;
    for (const WalkedDirectory* above = walked->parent.get(); above != nullptr;
         above = above->parent.get()) {
      if (above->fingerprint == walked->fingerprint) ++rounds;
    }
    return rounds < kRounds ? absl::OkStatus()
                            : CheckForLoop(*request_.root.file_system, *walked);
  }

  absl::Status CheckDepthOf(const std::string& directory) const {
    if (std::count(directory.begin(), directory.end(), '/') >= kMaxNested) {
      return TooDeep(listing_.UriOf(directory));
    }
    return CheckInterruption();
  }

  bool Add(const Directory& directory, const std::string& name,
           const Found& found, bool doubled) {
    const std::string path = JoinPath(directory.path, name);
    const bool is_unknown =
        TablesOf(*request_.root.file_system).traits.reading_tells &&
        !absl::IsNotFound(found.status());
    if (!found.ok() && (!request_.deletes || is_unknown)) {
      return listing_.ReportError(directory.id, path, found.status());
    }
    const bool is_link =
        request_.deletes && IsKnownLink(Below(request_.root, path));
    bool is_directory = found.ok() && !is_link && found->is_directory;
    if (found.ok() && !is_link && !is_directory && doubled) {
      const absl::StatusOr<Children> inside =
          ListChildren(*request_.root.file_system, listing_.UriOf(path));
      const bool is_file = absl::IsNotFound(inside.status()) ||
                           absl::IsFailedPrecondition(inside.status());
      if (!inside.ok() && !is_file) {
        return listing_.ReportError(directory.id, path, inside.status());
      }
      is_directory = inside.ok() && !inside->names.empty();
    }
    if (!is_directory && is_link && request_.filter.Excludes(path, true)) {
      listing_.tree().LeaveOutOf(directory.id);
      return true;
    }
    if (!is_directory) {
      return AddFile(directory.id, path,
                     is_link ? UnknownError("a link") : found);
    }
    if (request_.filter.Excludes(path, true)) {
      listing_.tree().LeaveOutOf(directory.id);
    } else {
      pending_.push_back(
          {listing_.tree().AddDirectory(
               directory.id, name,
               found->is_directory ? Seen::kExamined : Seen::kNothing),
           directory.walked});
    }
    return !doubled || AddObjectBeside(directory.id, path);
  }

  bool AddFile(Id directory, const std::string& path, const Found& found) {
    if (!request_.filter.SelectsFile(path)) {
      listing_.tree().LeaveOutOf(directory);
      return true;
    }
    listing_.tree().AddFile(directory, Basename(path),
                            found.ok() ? *found : FileStatistics(),
                            found.ok() ? Seen::kExamined : Seen::kNothing);
    return true;
  }

  const TreeRequest& request_;
  TreeListing listing_;
  std::vector<Pending> pending_;  // directories not listed yet
};

}  // namespace

absl::Status TooDeep(const std::string& uri) {
  return FailedPreconditionError(
      "{}: more than {} nested directories; a link may lead back to a "
      "directory above it",
      uri, kMaxNested);
}

std::optional<ListedTree> ListTree(const TreeRequest& request) {
  if (request.root.tree != nullptr) return ListLocalTree(request);
  return TreeLister(request).Run();
}

}  // namespace fsload
